package aurum

import (
	"fmt"
	"slices"

	"aurum.arena/aurum/aurumv1"
)

// A Move is the answer to a [Turn], made by [Play], [Exchange] or [Pass]. Moves compare with ==.
type Move struct {
	kind moveKind
	card Card
	gold Card
	seat int
}

type moveKind int

const (
	moveNone moveKind = iota // the zero Move is none
	movePlay
	moveExchange
	movePass
)

// Play answers with a card: the bid card, the card to lead, or the card to follow with.
func Play(card Card) Move { return Move{kind: movePlay, card: card} }

// Exchange spends gold to lay a card of the hand in place of the bid card of a seat: the own or the partner's.
func Exchange(gold, card Card, seat int) Move {
	return Move{kind: moveExchange, gold: gold, card: card, seat: seat}
}

// Pass declines an exchange, or ends the round.
func Pass() Move { return Move{kind: movePass} }

// String returns the move in a few words.
func (m Move) String() string {
	switch m.kind {
	case movePlay:
		return m.card.String()
	case moveExchange:
		return fmt.Sprintf("an exchange of %v and %v for the bid card of seat %d", m.gold, m.card, m.seat)
	case movePass:
		return "a pass"
	default:
		return "no move"
	}
}

// answers reports whether the move is one that the turn allows.
func (m Move) answers(turn *Turn) bool {
	switch m.kind {
	case movePlay:
		return turn.Phase != PhaseExchange && slices.Contains(turn.LegalCards, m.card)
	case moveExchange:
		partner, hasPartner := turn.Partner()
		return turn.Phase == PhaseExchange &&
			slices.Contains(turn.Collection(), m.gold) &&
			slices.Contains(turn.LegalCards, m.card) &&
			(m.seat == turn.Seat() || hasPartner && m.seat == partner)
	case movePass:
		return turn.MayPass
	default:
		return false
	}
}

// action returns the move as the answer to the turn.
func (m Move) action(turn *Turn) *aurumv1.Action {
	action := &aurumv1.Action{Game: turn.Game, Number: turn.Number}
	switch m.kind {
	case movePlay:
		action.Move = &aurumv1.Action_Card{Card: m.card}
	case moveExchange:
		exchange := &aurumv1.Exchange{Gold: m.gold, Card: m.card, Seat: uint32(m.seat)}
		action.Move = &aurumv1.Action_Exchange{Exchange: exchange}
	case movePass:
		action.Move = &aurumv1.Action_Pass{Pass: &aurumv1.Pass{}}
	}
	return action
}
