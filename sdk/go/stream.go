package aurum

import (
	"context"
	"errors"
	"io"
	"time"

	"aurum.arena/aurum/aurumv1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

const (
	flushAfter = 2 * time.Millisecond // since the last write: what is ready goes out before the bot thinks on
	maxActions = 1000                 // in one message: under 30 KiB, of the 64 KiB that a referee takes
	readAhead  = 64                   // messages that may come in while the bot thinks
	parting    = 500 * time.Millisecond
)

// A stream is one connection to the referee, from Hello to its end.
type stream struct {
	session  *session
	call     grpc.ClientStream
	arrivals <-chan arrival
	now      func() time.Time
}

// An arrival is a message, or how the stream ended.
type arrival struct {
	data []byte
	at   time.Time
	err  error
}

// converse says Hello and answers until the referee says Goodbye or the stream ends. The status tells how it
// ended; the error is one of the session. A referee that is not there within a time is unavailable.
func converse(session *session, referee endpoint, within time.Duration) (*status.Status, error) {
	hello := session.hello()
	conn, err := grpc.NewClient("passthrough:///localhost",
		grpc.WithContextDialer(referee.dial), // which also means: past any proxy of the environment
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 10 * time.Second, Timeout: 5 * time.Second}),
	)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+referee.token)

	timer := time.AfterFunc(within, cancel)
	call, err := aurumv1.NewRefereeServiceClient(conn).Play(ctx, grpc.ForceCodec(codec{}))
	if !timer.Stop() {
		return status.New(codes.Unavailable, "no answer"), nil
	}
	if err != nil {
		return status.Convert(err), nil
	}
	stream := stream{session: session, call: call, arrivals: listen(ctx, call), now: time.Now}
	stream.send(hello)
	return stream.run()
}

// listen takes in messages while the bot thinks, so that the clocks of their turns are read as they come.
func listen(ctx context.Context, call grpc.ClientStream) <-chan arrival {
	arrivals := make(chan arrival, readAhead)
	go func() {
		defer close(arrivals)
		for {
			var data []byte
			err := call.RecvMsg(&data)
			select {
			case arrivals <- arrival{data: data, at: time.Now(), err: err}:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return arrivals
}

func (s *stream) run() (*status.Status, error) {
	for arrival := range s.arrivals {
		if errors.Is(arrival.err, io.EOF) {
			return status.New(codes.OK, "the stream ended"), nil
		}
		if arrival.err != nil {
			return status.Convert(arrival.err), nil
		}
		if err := s.answer(arrival); err != nil {
			return nil, err
		}
		if s.session.goodbye != nil {
			s.part()
			break
		}
	}
	return status.New(codes.OK, ""), nil
}

// answer has the turns of a message answered, in one message unless the bot thinks for long.
func (s *stream) answer(message arrival) error {
	ready := new(aurumv1.PlayRequest)
	written := s.now()
	for action, err := range s.session.answers(message.data, message.at) {
		if err != nil {
			return err
		}
		ready.Actions = append(ready.Actions, action)
		if s.now().Sub(written) > flushAfter || len(ready.Actions) == maxActions {
			s.send(ready)
			ready = new(aurumv1.PlayRequest)
			written = s.now()
		}
	}
	if len(ready.Actions) > 0 {
		s.send(ready)
	}
	return nil
}

// send writes a message. If the stream is over, reading on says so, after what the referee has said before.
func (s *stream) send(request *aurumv1.PlayRequest) {
	_ = s.call.SendMsg(request)
}

// part ends the stream from this side and gives the referee a moment to do the same.
func (s *stream) part() {
	_ = s.call.CloseSend()
	late := time.After(parting)
	for open := true; open; {
		select {
		case _, open = <-s.arrivals:
		case <-late:
			return
		}
	}
}

// codec leaves the reading of messages to the session, which can tell garbage from a lost connection.
type codec struct{}

func (codec) Name() string { return "proto" }

func (codec) Marshal(message any) ([]byte, error) { return proto.Marshal(message.(proto.Message)) }

func (codec) Unmarshal(data []byte, target any) error {
	*target.(*[]byte) = data
	return nil
}
