package aurum.bot;

import aurum.bot.ProtocolException.Kind;
import aurum.v1.Play;
import com.google.protobuf.InvalidProtocolBufferException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One bot, from its first Hello to the Goodbye, without the network.
 *
 * <p>A lost connection does not end a session: games go on where they were after another Hello, and a turn that comes
 * again is given the same answer again, without asking the bot.
 */
final class Session {
    static final int PROTOCOL_VERSION = 1;
    private static final String SDK = "aurum-java/0.1.0";

    private final Bot bot;
    private final Map<Long, Game> games = new HashMap<>();
    private boolean welcomed;
    private Optional<Duration> grace = Optional.empty();
    private Optional<String> goodbye = Optional.empty();

    Session(Bot bot) {
        this.bot = bot;
    }

    /** How long after a lost connection the referee waits, once there was a Welcome. */
    Optional<Duration> grace() {
        return grace;
    }

    /** The reason that the referee gave when it was done with this bot. */
    Optional<String> goodbye() {
        return goodbye;
    }

    /** Begins a stream: the first message to send. */
    Play.PlayRequest hello() {
        welcomed = false;
        var hello = Play.Hello.newBuilder()
                .setProtocolVersion(PROTOCOL_VERSION)
                .setBot(bot.name())
                .setVersion(bot.version())
                .setLanguage("java")
                .setSdk(SDK);
        return Play.PlayRequest.newBuilder().setHello(hello).build();
    }

    /**
     * Takes the next message of the stream, and hands over each answer as soon as it is there.
     *
     * @param received when the message arrived, as {@link System#nanoTime} tells it
     * @return whether it held an update
     * @throws ProtocolException it is not what may come here
     * @throws StoppedException the bot's code failed
     */
    boolean receive(byte[] bytes, long received, Consumer<Play.Action> answers) throws StoppedException {
        Play.PlayResponse message = parse(bytes);
        if (!welcomed) {
            begin(message);
        }
        for (Play.Update update : message.getUpdatesList()) {
            take(update, received, answers);
            if (goodbye.isPresent()) {
                break;
            }
        }
        return message.getUpdatesCount() > 0;
    }

    private static Play.PlayResponse parse(byte[] bytes) throws ProtocolException {
        try {
            return Play.PlayResponse.parseFrom(bytes);
        } catch (InvalidProtocolBufferException error) {
            throw new ProtocolException(
                    Kind.MALFORMED, "the referee sent bytes that are no PlayResponse: " + error.getMessage());
        }
    }

    private void begin(Play.PlayResponse message) throws ProtocolException {
        if (!message.hasWelcome()) {
            throw new ProtocolException(Kind.NO_WELCOME, "the referee's first message is no Welcome");
        }
        Play.Welcome welcome = message.getWelcome();
        if (welcome.getProtocolVersion() != PROTOCOL_VERSION) {
            throw new ProtocolException(
                    Kind.VERSION,
                    "the referee speaks protocol version %s, this bot version %s: build it with the SDK of the referee"
                            .formatted(Integer.toUnsignedString(welcome.getProtocolVersion()), PROTOCOL_VERSION));
        }
        welcomed = true;
        grace = Optional.of(Duration.ofMillis(Integer.toUnsignedLong(welcome.getReconnectGraceMs())));
    }

    private void take(Play.Update update, long received, Consumer<Play.Action> answers) throws StoppedException {
        switch (update.getKindCase()) {
            case TURN -> answers.accept(answer(update.getTurn(), received));
            case GAME_START -> start(update.getGameStart());
            case ROUND_END -> {
                Play.RoundEnd end = update.getRoundEnd();
                Game game = games.get(end.getGame());
                if (game != null) {
                    tell("roundEnd", game, () -> bot.roundEnd(Reading.roundEnd(end, game)));
                }
            }
            case GAME_END -> {
                // Says nothing to a process that was started anew in mid-game.
                Play.GameEnd end = update.getGameEnd();
                Game game = games.remove(end.getGame());
                if (game != null) {
                    tell("gameEnd", game, () -> bot.gameEnd(Reading.gameEnd(end, game)));
                }
            }
            case FAULT -> {
                Fault fault = Reading.fault(update.getFault());
                tell("fault", fault, () -> bot.fault(fault));
            }
            case GOODBYE -> goodbye = Optional.of(update.getGoodbye().getReason());
            case KIND_NOT_SET -> {
                // A kind of update that a later protocol has added: nothing to answer.
            }
        }
    }

    private void start(Play.GameStart message) throws StoppedException {
        // After a reconnection a game may be announced again: it goes on as it was.
        if (!games.containsKey(message.getGame())) {
            Game game = new Game(message);
            games.put(game.id(), game);
            tell("gameStart", game, () -> bot.gameStart(game));
        }
    }

    private Play.Action answer(Play.Turn message, long received) throws StoppedException {
        Game game = games.get(message.getGame());
        if (game == null) {
            throw new ProtocolException(
                    Kind.UNKNOWN_GAME,
                    "the referee asks for a turn of game " + message.getGame() + ", which it has not started");
        }
        if (game.answer.getNumber() == message.getNumber()) {
            return game.answer;
        }
        Phase phase = Phase.of(message.getPhaseValue())
                .orElseThrow(() -> new ProtocolException(
                        Kind.UNKNOWN_PHASE,
                        "the referee asks for phase %d in game %d, which this SDK does not know"
                                .formatted(message.getPhaseValue(), message.getGame())));
        Turn turn = new Turn(message, game, phase, received);
        game.answer = Answer.to(turn, ask(turn));
        return game.answer;
    }

    private Move ask(Turn turn) throws StoppedException {
        try {
            return bot.choose(turn);
        } catch (Exception | Error failure) {
            throw failed("choose", turn, failure);
        }
    }

    private void tell(String method, Object subject, Hook hook) throws StoppedException {
        try {
            hook.call();
        } catch (Exception | Error failure) {
            throw failed(method, subject, failure);
        }
    }

    private StoppedException failed(String method, Object subject, Throwable failure) {
        String where = bot.getClass().getSimpleName() + "." + method;
        return new StoppedException(1, where + " failed at " + subject + ": " + failure, failure);
    }

    private interface Hook {
        void call() throws Exception;
    }
}
