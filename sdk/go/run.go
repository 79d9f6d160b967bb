package aurum

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"google.golang.org/grpc/codes"
)

const version = "0.1.0"

// firstPatience is for a referee that has never been there. Later its Welcome says.
const firstPatience = 10 * time.Second

// backoff holds the pauses between streams; the last one repeats.
var backoff = []time.Duration{
	50 * time.Millisecond, 100 * time.Millisecond, 200 * time.Millisecond, 400 * time.Millisecond, 500 * time.Millisecond,
}

// passing holds the ways in which a stream can end that are worth taking it up again.
var passing = []codes.Code{
	codes.OK, codes.Unavailable, codes.Canceled, codes.Unknown, codes.Internal, codes.Aborted,
}

// Run plays until the referee is done with the bot, and exits.
//
// The arena says where the referee is in the environment: AURUM_ADDRESS (host:port or unix:/path) and AURUM_TOKEN.
//
// Exit codes: 0 after the referee's Goodbye; 1 if the bot's code failed, or the referee refused or was not reached;
// 2 if the bot was started wrongly. A signal ends it as it does any Go program.
func Run(bot Bot) {
	os.Exit(run(bot, os.Getenv, firstPatience, os.Stderr))
}

func run(bot Bot, getenv func(string) string, patience time.Duration, stderr io.Writer) int {
	err := play(bot, getenv, patience)
	if err == nil {
		return 0
	}
	fmt.Fprintf(stderr, "aurum: %v\n", err)
	if errors.As(err, new(usageError)) {
		return 2
	}
	return 1
}

// A usageError is a bot that was put together or started wrongly.
type usageError string

func (e usageError) Error() string { return string(e) }

func play(bot Bot, getenv func(string) string, patience time.Duration) error {
	if bot.Choose == nil {
		return usageError("the bot has no Choose: aurum.Run(aurum.Bot{Choose: ...}) needs one")
	}
	referee, err := whereabouts(getenv)
	if err != nil {
		return err
	}
	if bot.Setup != nil {
		var failed error
		err := guard(func() { failed = bot.Setup() })
		if err := errors.Join(err, failed); err != nil {
			return fmt.Errorf("the bot's Setup failed: %w", err)
		}
	}
	return persist(newSession(bot), referee, patience)
}

// persist converses until the Goodbye, over as many streams as it takes.
func persist(session *session, referee endpoint, patience time.Duration) error {
	lost, failures, ending := time.Now(), 0, "no answer"
	for {
		left := time.Until(lost.Add(patience))
		if left <= 0 {
			return fmt.Errorf("no referee at %v within %g s: %s", referee, patience.Seconds(), ending)
		}
		end, err := converse(session, referee, left)
		if err != nil || session.goodbye != nil {
			return err
		}
		ending = cmp.Or(end.Message(), end.Code().String())
		if !slices.Contains(passing, end.Code()) {
			return fmt.Errorf("the referee refused: %s", ending)
		}
		if session.welcomed {
			lost = time.Now()
			patience = time.Duration(session.welcome.ReconnectGraceMs) * time.Millisecond
		}
		if session.lived {
			failures = 0
		}
		time.Sleep(backoff[min(failures, len(backoff)-1)])
		failures++
	}
}
