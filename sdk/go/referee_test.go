package aurum

import (
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aurum.arena/aurum/aurumv1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"
)

// A call is one stream of a bot, as the scripted referee of a test sees it.
type call struct {
	aurumv1.RefereeService_PlayServer
	t      *testing.T
	number int // from 1
}

// say sends a message; a nil Welcome is none.
func (c *call) say(welcome *aurumv1.Welcome, updates ...*aurumv1.Update) {
	c.t.Helper()
	if err := c.Send(say(welcome, updates...)); err != nil {
		c.t.Errorf("stream %d: %v", c.number, err)
	}
}

// hear returns the bot's next message; after an error an empty one.
func (c *call) hear() *aurumv1.PlayRequest {
	c.t.Helper()
	request, err := c.Recv()
	if err != nil {
		c.t.Errorf("stream %d: %v", c.number, err)
		return new(aurumv1.PlayRequest)
	}
	return request
}

// hearHello expects the first message of a stream.
func (c *call) hearHello() {
	c.t.Helper()
	if request := c.hear(); request.Hello == nil || len(request.Actions) > 0 {
		c.t.Errorf("stream %d begins with %v", c.number, request)
	}
}

// hearActions expects one message with answers, and returns them as game/number.
func (c *call) hearActions() string {
	c.t.Helper()
	var all []string
	for _, action := range c.hear().Actions {
		all = append(all, fmt.Sprintf("%d/%d", action.Game, action.Number))
	}
	return strings.Join(all, " ")
}

// dismiss says Goodbye and expects the bot to end the stream.
func (c *call) dismiss() error {
	c.t.Helper()
	c.say(nil, bye())
	if request, err := c.Recv(); err != io.EOF {
		c.t.Errorf("after the Goodbye comes %v, %v", request, err)
	}
	return nil
}

type service struct {
	aurumv1.UnimplementedRefereeServiceServer
	t     *testing.T
	serve func(*call) error
	calls chan int
}

func (s *service) Play(stream aurumv1.RefereeService_PlayServer) error {
	number := <-s.calls
	s.calls <- number + 1
	given, _ := metadata.FromIncomingContext(stream.Context())
	if token := given.Get("authorization"); len(token) != 1 || token[0] != "Bearer a-token" {
		s.t.Errorf("the metadata is %v", given)
	}
	return s.serve(&call{RefereeService_PlayServer: stream, t: s.t, number: number})
}

// referee serves each stream with a script until the test is over, and returns the bot's environment.
func referee(t *testing.T, listener net.Listener, script func(*call) error) func(string) string {
	t.Helper()
	calls := make(chan int, 1)
	calls <- 1
	server := grpc.NewServer(grpc.ForceServerCodec(bytesOrProto{}))
	aurumv1.RegisterRefereeServiceServer(server, &service{t: t, serve: script, calls: calls})
	stopped := make(chan error)
	go func() { stopped <- server.Serve(listener) }()
	t.Cleanup(func() {
		server.Stop()
		if err := <-stopped; err != nil {
			t.Error(err)
		}
	})
	return environment(listener.Addr())
}

func environment(address net.Addr) func(string) string {
	where := address.String()
	if address.Network() == "unix" {
		where = "unix:" + where
	}
	values := map[string]string{"AURUM_ADDRESS": where, "AURUM_TOKEN": "a-token"}
	return func(name string) string { return values[name] }
}

func listenTCP(t *testing.T) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	return listener
}

func listenUnix(t *testing.T) net.Listener {
	t.Helper()
	listener, err := net.Listen("unix", filepath.Join(t.TempDir(), "a socket?%41"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	return listener
}

// wantRun runs a bot and compares its exit code and what it prints to standard error.
func wantRun(t *testing.T, bot Bot, env func(string) string, patience time.Duration, code int, printed ...string) {
	t.Helper()
	var stderr strings.Builder
	if got := run(bot, env, patience, &stderr); code != got {
		t.Errorf("exits with %d, want %d", got, code)
	}
	if len(printed) == 0 && stderr.Len() > 0 {
		t.Errorf("prints %q", stderr.String())
	}
	for _, part := range printed {
		if !strings.Contains(stderr.String(), part) {
			t.Errorf("%q is not in what it prints: %q", part, stderr.String())
		}
	}
}

// bytesOrProto lets a script send bytes that are no message.
type bytesOrProto struct{}

func (bytesOrProto) Name() string { return "proto" }

func (bytesOrProto) Marshal(message any) ([]byte, error) {
	if raw, ok := message.([]byte); ok {
		return raw, nil
	}
	return proto.Marshal(message.(proto.Message))
}

func (bytesOrProto) Unmarshal(data []byte, target any) error {
	return proto.Unmarshal(data, target.(proto.Message))
}
