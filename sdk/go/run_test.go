package aurum

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"aurum.arena/aurum/aurumv1"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

const (
	long  = 20 * time.Second // no test waits for it to pass
	short = 100 * time.Millisecond
)

// TestMain makes this program a bot if it was started as one.
func TestMain(m *testing.M) {
	if os.Getenv("AURUM_ADDRESS") != "" {
		Run(Bot{Name: "Tested", Choose: first})
	}
	os.Exit(m.Run())
}

func TestAGameOverTCPAndUnixSockets(t *testing.T) {
	for name, listen := range map[string]func(*testing.T) net.Listener{"tcp": listenTCP, "unix": listenUnix} {
		t.Run(name, func(t *testing.T) {
			env := referee(t, listen(t), func(call *call) error {
				call.hearHello()
				call.say(welcome(), start(7), follow(7, 1))
				if got := call.hearActions(); got != "7/1" {
					t.Errorf("answered %q", got)
				}
				call.say(nil, follow(7, 2), start(8), follow(8, 1))
				got := call.hearActions()
				if got == "7/2" { // a busy machine may think for long
					got += " " + call.hearActions()
				}
				if got != "7/2 8/1" {
					t.Errorf("answered %q", got)
				}
				return call.dismiss()
			})
			wantRun(t, Bot{Choose: first}, env, long, 0)
		})
	}
}

func TestAnAnswerDoesNotWaitForTheNextThought(t *testing.T) {
	answered := make(chan struct{})
	env := referee(t, listenTCP(t), func(call *call) error {
		call.hearHello()
		call.say(welcome(), start(7), start(8), follow(7, 1), follow(8, 1))
		if got := call.hearActions(); got != "7/1" {
			t.Errorf("answered %q", got)
		}
		close(answered)
		if got := call.hearActions(); got != "8/1" {
			t.Errorf("answered %q", got)
		}
		return call.dismiss()
	})
	bot := Bot{Choose: func(turn *Turn) Move {
		if turn.Game == 7 {
			time.Sleep(2 * flushAfter)
		} else {
			<-answered
		}
		return first(turn)
	}}
	wantRun(t, bot, env, long, 0)
}

func TestALostConnectionIsTakenUpAgain(t *testing.T) {
	for _, code := range []codes.Code{
		codes.OK, codes.Unavailable, codes.Canceled, codes.Unknown, codes.Internal, codes.Aborted, codes.ResourceExhausted,
	} {
		t.Run(code.String(), func(t *testing.T) {
			env := referee(t, listenTCP(t), func(call *call) error {
				call.hearHello()
				call.say(welcome(), start(7), follow(7, 1))
				if got := call.hearActions(); got != "7/1" {
					t.Errorf("answered %q", got)
				}
				if call.number == 1 {
					return status.Error(code, "lost")
				}
				call.say(nil, follow(7, 2))
				if got := call.hearActions(); got != "7/2" {
					t.Errorf("answered %q", got)
				}
				return call.dismiss()
			})
			asked := 0
			wantRun(t, Bot{Choose: func(turn *Turn) Move { asked++; return first(turn) }}, env, long, 0)
			if asked != 2 {
				t.Errorf("asked %d times for 2 turns", asked)
			}
		})
	}
}

func TestARefusalIsTold(t *testing.T) {
	for _, code := range []codes.Code{codes.Unauthenticated, codes.FailedPrecondition, codes.InvalidArgument} {
		env := referee(t, listenTCP(t), func(*call) error { return status.Error(code, "a sentence") })
		wantRun(t, Bot{Choose: first}, env, long, 1, "aurum: the referee refused: a sentence\n")
	}
}

func TestARefusalWithoutASentenceIsToldByItsCode(t *testing.T) {
	env := referee(t, listenTCP(t), func(*call) error { return status.Error(codes.Unauthenticated, "") })
	wantRun(t, Bot{Choose: first}, env, long, 1, "aurum: the referee refused: Unauthenticated\n")
}

func TestWhatIsSaidBeforeARefusalIsHeard(t *testing.T) {
	env := referee(t, listenTCP(t), func(call *call) error {
		call.hearHello()
		call.say(welcome(), start(7), follow(7, 1), faulted(&aurumv1.Fault{Detail: "a fault"}))
		return status.Error(codes.InvalidArgument, "garbage")
	})
	var told string
	bot := Bot{Choose: first, Fault: func(fault *aurumv1.Fault) { told = fault.Detail }}
	wantRun(t, bot, env, long, 1, "aurum: the referee refused: garbage\n")
	if told != "a fault" {
		t.Errorf("told of %q", told)
	}
}

func TestGarbageEndsTheBot(t *testing.T) {
	env := referee(t, listenTCP(t), func(call *call) error {
		call.hearHello()
		return call.SendMsg([]byte("garbage"))
	})
	wantRun(t, Bot{Choose: first}, env, long, 1, "aurum: the referee sent bytes that are no PlayResponse")
}

func TestAnotherVersionEndsTheBotWithBothNamed(t *testing.T) {
	env := referee(t, listenTCP(t), func(call *call) error {
		call.hearHello()
		call.say(&aurumv1.Welcome{ProtocolVersion: 2})
		_, err := call.Recv()
		return err
	})
	wantRun(t, Bot{Choose: first}, env, long, 1, "version 2, this bot version 1")
}

func TestARefereeThatIsNotThereIsWaitedFor(t *testing.T) {
	listener := listenTCP(t)
	serving := make(chan struct{})
	go func() {
		defer close(serving)
		conn, err := listener.Accept() // and no HTTP/2 is spoken
		if err != nil {
			t.Error(err)
			return
		}
		conn.Close()
		referee(t, listener, func(call *call) error {
			call.hearHello()
			call.say(welcome())
			return call.dismiss()
		})
	}()
	wantRun(t, Bot{Choose: first}, environment(listener.Addr()), long, 0)
	<-serving
}

func TestARefereeThatIsNeverThere(t *testing.T) {
	listener := listenUnix(t)
	listener.Close()
	env := environment(listener.Addr())
	wantRun(t, Bot{Choose: first}, env, short, 1,
		"aurum: no referee at "+env("AURUM_ADDRESS")+" within 0.1 s: ", "no such file or directory")
}

func TestARefereeThatSaysNothing(t *testing.T) {
	listener := listenTCP(t)
	address := listener.Addr().String()
	wantRun(t, Bot{Choose: first}, environment(listener.Addr()), short, 1,
		"aurum: no referee at "+address+" within 0.1 s: no answer\n")
}

func TestARefereeThatDoesNotComeBackIsWaitedForAsLongAsItsGrace(t *testing.T) {
	listener := listenUnix(t)
	env := referee(t, listener, func(call *call) error {
		call.hearHello()
		call.say(&aurumv1.Welcome{ProtocolVersion: 1, ReconnectGraceMs: 600})
		return os.Remove(listener.Addr().String())
	})
	wantRun(t, Bot{Choose: first}, env, long, 1, "aurum: no referee at "+env("AURUM_ADDRESS")+" within 0.6 s: ")
}

func TestFailuresOfTheAuthorsCode(t *testing.T) {
	env := referee(t, listenTCP(t), func(call *call) error {
		call.hearHello()
		call.say(welcome(), start(7), follow(7, 1))
		_, err := call.Recv()
		return err
	})
	for _, test := range []struct {
		bot  Bot
		want string
	}{
		{
			Bot{Choose: func(*Turn) Move { panic("out of ideas") }},
			"\naurum: the bot's Choose failed at turn 1 of game 7 (follow, seat 2): out of ideas\n",
		},
		{Bot{Choose: func(*Turn) Move { return Move{} }}, "no move is no legal answer"},
		{Bot{Choose: first, Setup: func() error { return errors.New("no model") }}, "aurum: the bot's Setup failed: no model\n"},
		{Bot{Choose: first, Setup: func() error { panic("no model") }}, "\naurum: the bot's Setup failed: no model\n"},
	} {
		wantRun(t, test.bot, env, long, 1, test.want)
	}
}

// The set-up clock runs until Hello.
func TestSetupComesBeforeHello(t *testing.T) {
	var ready atomic.Bool
	env := referee(t, listenTCP(t), func(call *call) error {
		call.hearHello()
		if !ready.Load() {
			t.Error("Hello before the end of Setup")
		}
		call.say(welcome())
		return call.dismiss()
	})
	wantRun(t, Bot{Choose: first, Setup: func() error { ready.Store(true); return nil }}, env, long, 0)
}

func TestABotThatIsStartedWrongly(t *testing.T) {
	for _, test := range []struct{ address, token, want string }{
		{"", "a-token", "aurum: AURUM_ADDRESS is not set: bots are started by the arena (arena play"},
		{"127.0.0.1:1", "", "aurum: AURUM_TOKEN is not set: bots are started by the arena (arena play"},
		{"localhost", "a-token", `"localhost", which is no address: host:port or unix:/path`},
		{":50051", "a-token", "no address"},
		{"localhost:http", "a-token", "no address"},
		{"localhost:65536", "a-token", "no address"},
		{"unix:relative", "a-token", "no address"},
		{"unix:", "a-token", "no address"},
		{"::1:50051", "a-token", "no address"},
	} {
		env := map[string]string{"AURUM_ADDRESS": test.address, "AURUM_TOKEN": test.token}
		wantRun(t, Bot{Choose: first}, func(name string) string { return env[name] }, long, 2, test.want)
	}
}

func TestABotWithoutChoose(t *testing.T) {
	wantRun(t, Bot{}, func(string) string { return "" }, long, 2, "aurum: the bot has no Choose")
}

func TestAddresses(t *testing.T) {
	for address, want := range map[string]endpoint{
		"127.0.0.1:50051":      {network: "tcp", address: "127.0.0.1:50051"},
		"example.test:50051":   {network: "tcp", address: "example.test:50051"},
		"[::1]:50051":          {network: "tcp", address: "[::1]:50051"},
		"unix:/tmp/a socket?%": {network: "unix", address: "/tmp/a socket?%"},
	} {
		want.token = "a-token"
		env := map[string]string{"AURUM_ADDRESS": address, "AURUM_TOKEN": "a-token"}
		got, err := whereabouts(func(name string) string { return env[name] })
		if err != nil || want != got || address != got.String() {
			t.Errorf("%s is read as %+v, %v", address, got, err)
		}
	}
}

// process starts a bot as a process of its own.
func process(t *testing.T, env func(string) string) (bot *exec.Cmd, stdout, stderr *strings.Builder) {
	t.Helper()
	bot = exec.CommandContext(t.Context(), os.Args[0])
	stdout, stderr = new(strings.Builder), new(strings.Builder)
	bot.Stdout, bot.Stderr = stdout, stderr
	bot.Env = []string{"GOCOVERDIR=" + t.TempDir()} // or a test with coverage prints that it is missing
	for _, name := range []string{"AURUM_ADDRESS", "AURUM_TOKEN"} {
		bot.Env = append(bot.Env, name+"="+env(name))
	}
	if err := bot.Start(); err != nil {
		t.Fatal(err)
	}
	return bot, stdout, stderr
}

func TestASignalEndsTheProcessWithoutAWord(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		welcomed := make(chan struct{})
		env := referee(t, listenUnix(t), func(call *call) error {
			call.hearHello()
			call.say(welcome())
			close(welcomed)
			_, err := call.Recv()
			return err
		})
		bot, stdout, stderr := process(t, env)
		<-welcomed
		if err := bot.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		_ = bot.Wait()
		if ended := bot.ProcessState.Sys().(syscall.WaitStatus); !ended.Signaled() || ended.Signal() != signal {
			t.Errorf("ended by %v: %v", signal, bot.ProcessState)
		}
		if stdout.Len()+stderr.Len() > 0 {
			t.Errorf("prints %q and %q", stdout, stderr)
		}
	}
}

func TestAProcessEndsQuietlyAfterTheGoodbye(t *testing.T) {
	env := referee(t, listenTCP(t), func(call *call) error {
		call.hearHello()
		call.say(welcome(), start(7), follow(7, 1))
		call.hearActions()
		return call.dismiss()
	})
	bot, stdout, stderr := process(t, env)
	if err := bot.Wait(); err != nil {
		t.Error(err)
	}
	if stdout.Len()+stderr.Len() > 0 {
		t.Errorf("prints %q and %q", stdout, stderr)
	}
}
