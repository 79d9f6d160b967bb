package aurum

import (
	"fmt"
	"time"

	"aurum.arena/aurum/aurumv1"
)

// A Turn is a decision that is asked for, with everything that the seat may know: a bot can be a function of it.
//
// The fields of the protocol's message are its own: Phase, Hand, OwnBid, LegalCards and MayPass, Table with all that
// lies face up, Game and Number, which name the turn. Nothing in a Turn or in its Start may be changed.
type Turn struct {
	*aurumv1.Turn

	// Start is what the referee said when the game began.
	Start *aurumv1.GameStart

	deadline time.Time
}

// Seat returns the own seat. Seats count from 0, clockwise.
func (t *Turn) Seat() int { return int(t.Start.GetSeat()) }

// Players returns how many sit at the table: 3 or 4.
func (t *Turn) Players() int { return int(t.Start.GetPlayers()) }

// Partner returns the partner's seat; with three players there is none.
func (t *Turn) Partner() (seat int, ok bool) {
	if t.Players() != 4 {
		return 0, false
	}
	return t.Seat() ^ 2, true
}

// Collection returns the own gold cards, ascending.
func (t *Turn) Collection() []Card {
	if seats := t.Table.GetSeats(); t.Seat() < len(seats) {
		return seats[t.Seat()].GetCollection()
	}
	return nil
}

// Ruleset returns the rules of the game.
func (t *Turn) Ruleset() *aurumv1.Ruleset { return t.Start.GetRuleset() }

// Seed returns the game's seed for this bot's chance: the same deal and seat give the same one.
func (t *Turn) Seed() uint64 { return t.Start.GetSeed() }

// TimeLeft returns what is left for this decision, now, the bank included; it is negative once it is too late.
func (t *Turn) TimeLeft() time.Duration { return time.Until(t.deadline) }

// where says which turn it is.
func (t *Turn) where() string {
	return fmt.Sprintf("turn %d of game %d (%s, seat %d)", t.Number, t.Game, shortName(t.Phase, "PHASE_"), t.Seat())
}
