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

// brokenRule says what is wrong with a move that does not answer the turn.
func (m Move) brokenRule(turn *Turn) string {
	gold := m.card >= aurumv1.Card_G0
	switch {
	case m.kind == moveNone:
		return "a move is wanted, made by Play, Exchange or Pass"
	case m.kind == moveExchange && turn.Phase == PhaseExchange:
		return "an exchange takes gold of the own collection, a card of the hand, and the own or the partner's seat"
	case m.kind == movePass && turn.Phase == PhaseFollow:
		return "whoever holds a card of a suit not yet in the trick cannot end the round"
	case m.kind != movePlay || turn.Phase == PhaseExchange:
		return "this kind of move is not asked for now"
	case gold && turn.Phase == PhaseBid:
		return "gold cannot be a bid card"
	case gold && turn.Phase == PhaseLead:
		return "gold cannot lead a trick"
	case gold:
		return "no gold of that rank is in the collection"
	case slices.Contains(turn.Hand, m.card):
		return "a card of that suit is in the trick already"
	default:
		return "the card is not in the hand"
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
