package aurum

import (
	"fmt"
	"os"
	"strings"

	"aurum.arena/aurum/aurumv1"
)

// A Bot is a player of Aurum, as [Run] takes it. Only Choose is required.
//
// One Bot plays all games of its process, often many at a time and their turns interleaved, but it is never called
// twice at once. What it keeps of a game belongs in a map by Turn.Game, from GameStart to GameEnd.
type Bot struct {
	// Name and Version stand in the records.
	Name, Version string

	// Setup runs before the bot says that it is ready: the place to load what takes long.
	Setup func() error

	// Choose answers a turn. An answer that the turn does not allow stops the bot.
	Choose func(turn *Turn) Move

	// GameStart, RoundEnd and GameEnd are told what happens in a game.
	GameStart func(start *aurumv1.GameStart)
	RoundEnd  func(end *aurumv1.RoundEnd)
	GameEnd   func(end *aurumv1.GameEnd)

	// Fault is told what the referee has recorded against this bot. Without it, a line on standard error says so.
	Fault func(fault *aurumv1.Fault)
}

func printFault(fault *aurumv1.Fault) {
	fmt.Fprintf(os.Stderr, "aurum: %s\n", describe(fault))
}

func describe(fault *aurumv1.Fault) string {
	where := ""
	if fault.Game != 0 {
		where = fmt.Sprintf(" in game %d", fault.Game)
	}
	if fault.Number != 0 {
		where += fmt.Sprintf(", turn %d", fault.Number)
	}
	return fmt.Sprintf("%s%s: %s", shortName(fault.Kind, "FAULT_KIND_"), where, fault.Detail)
}

// shortName returns the name of a value without what all names of its type begin with, in lower case;
// or its number, if this SDK is older than the value.
func shortName(value fmt.Stringer, prefix string) string {
	return strings.ToLower(strings.TrimPrefix(value.String(), prefix))
}
