# A bot without an SDK, written from docs/protocol.md and the .proto files alone: it lays and plays its first legal card.
#
# Debian: ruby, ruby-grpc, ruby-grpc-tools. In the project's folder, make the messages and look whether all is well:
#   grpc_tools_ruby_protoc -I proto --ruby_out=example_bots/ruby/gen --grpc_out=example_bots/ruby/gen \
#     proto/aurum/v1/card.proto proto/aurum/v1/game.proto proto/aurum/v1/play.proto
#   arena check -- ruby example_bots/ruby/first_card.rb

$LOAD_PATH.unshift("#{__dir__}/gen")
require "aurum/v1/play_services_pb"

V1 = Aurum::V1
PROTOCOL_VERSION = 1
FIRST_PATIENCE = 10.0 # seconds to wait for a referee that has never been there
CHANNEL = {
  "grpc.enable_http_proxy" => 0, # a proxy would take over even 127.0.0.1
  "grpc.initial_reconnect_backoff_ms" => 50,
  "grpc.min_reconnect_backoff_ms" => 50,
  "grpc.max_reconnect_backoff_ms" => 500,
  "grpc.keepalive_time_ms" => 10_000,
  "grpc.keepalive_timeout_ms" => 5_000
}.freeze

# Ways for a stream to end after which the referee may still be there.
PASSING = [GRPC::Unavailable, GRPC::Cancelled, GRPC::Unknown, GRPC::Internal, GRPC::Aborted,
           GRPC::ResourceExhausted].freeze

# The bot itself: a function of the turn, which holds all that its seat may know.
def decide(turn)
  action = V1::Action.new(game: turn.game, number: turn.number)
  if turn.phase == :PHASE_EXCHANGE || turn.legal_cards.empty?
    action.pass = V1::Pass.new
  else
    action.card = turn.legal_cards.first
  end
  action
end

# One stream, from Hello to its end. Yields each Welcome; returns whether the referee has said Goodbye.
def converse(stub, token)
  requests = Queue.new
  requests << V1::PlayRequest.new(hello: hello)
  sending = Enumerator.new { |out| while (request = requests.pop) do out << request end }
  call = stub.play(sending, metadata: { "authorization" => "Bearer #{token}" }, return_op: true)
  # When the referee ends the stream, this library first waits for us to end our side.
  ending = Thread.new { sleep 0.1 until call.status; requests << nil }
  call.execute.each do |message|
    yield message.welcome if message.welcome
    actions = []
    message.updates.each do |update|
      case update.kind
      when :turn then actions << decide(update.turn)
      when :fault then warn "#{update.fault.kind}: #{update.fault.detail}"
      when :goodbye then return true
      end
    end
    requests << V1::PlayRequest.new(actions: actions) unless actions.empty?
  end
  false
ensure
  ending&.kill
  requests << nil
end

def hello
  V1::Hello.new(protocol_version: PROTOCOL_VERSION, bot: "FirstCard", version: "1", language: "ruby")
end

def now
  Process.clock_gettime(Process::CLOCK_MONOTONIC)
end

# Streams, one after another: a lost one is taken up again as long as the referee's grace allows.
def play(address, token)
  stub = V1::RefereeService::Stub.new(address, :this_channel_is_insecure, channel_args: CHANNEL)
  patience = FIRST_PATIENCE
  lost = now
  loop do
    begin
      done = converse(stub, token) do |welcome|
        if welcome.protocol_version != PROTOCOL_VERSION
          abort "the referee speaks protocol version #{welcome.protocol_version}, this bot #{PROTOCOL_VERSION}"
        end
        patience = welcome.reconnect_grace_ms / 1000.0
        lost = nil
      end
      return if done
    rescue *PASSING => e
      why = e.details
    rescue GRPC::BadStatus => e
      abort "the referee refused: #{e.details}"
    end
    lost ||= now
    abort "no referee at #{address} within #{patience} s: #{why || 'the stream ended'}" if now > lost + patience
    sleep 0.1
  end
end

%w[INT TERM].each { |signal| trap(signal) { exit!(1) } } # the referee's wish to end is no news to an author
play(ENV.fetch("AURUM_ADDRESS") { abort "AURUM_ADDRESS is not set: bots are started by the arena" },
     ENV.fetch("AURUM_TOKEN") { abort "AURUM_TOKEN is not set: bots are started by the arena" })
