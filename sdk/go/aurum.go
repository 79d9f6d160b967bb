// Package aurum is the SDK for bots of the Aurum Arena.
//
// A bot is a function from a [Turn] to a [Move]:
//
//	func main() {
//		aurum.Run(aurum.Bot{Name: "Mine", Version: "1", Choose: choose})
//	}
//
//	func choose(turn *aurum.Turn) aurum.Move {
//		if turn.Phase == aurum.PhaseExchange || len(turn.LegalCards) == 0 {
//			return aurum.Pass()
//		}
//		return aurum.Play(turn.LegalCards[0])
//	}
//
// [Run] dials the referee, answers in batches, comes back after a lost connection and leaves at the end.
package aurum

//go:generate go -C tools run ./generate

import "aurum.arena/aurum/aurumv1"

// The phases of a [Turn]: what is asked for.
const (
	PhaseBid      = aurumv1.Phase_PHASE_BID      // a card of the hand, to lay as the bid card
	PhaseExchange = aurumv1.Phase_PHASE_EXCHANGE // an exchange of a bid card before a trick, or to pass
	PhaseLead     = aurumv1.Phase_PHASE_LEAD     // the first card of a trick
	PhaseFollow   = aurumv1.Phase_PHASE_FOLLOW   // a card to a trick; or, if Turn.MayPass, to end the round
)
