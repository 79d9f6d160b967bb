package aurum

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

const version = "0.1.0"

// firstPatience is for a referee that has never been there. Later its Welcome says.
const firstPatience = 10 * time.Second

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
	// What a bot writes last is what the arena shows first: the sentence, not the stack.
	if panicked := new(panicError); errors.As(err, &panicked) {
		fmt.Fprint(stderr, panicked.stack)
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
	connection := connection{
		session: newSession(bot), referee: referee, patience: patience,
		converse: converse, now: time.Now, sleep: time.Sleep,
	}
	return connection.keep()
}
