package aurum

import (
	"fmt"

	"aurum.arena/aurum/aurumv1"
)

// A Card has a Suit and a Rank, and prints as its name, like B7. Cards sort by suit, then rank.
type Card = aurumv1.Card

// NoCard is in the place of a card where there is none, like Turn.OwnBid before the bid.
const NoCard = aurumv1.Card_CARD_UNSPECIFIED

// A Suit is the color of a Card.
type Suit = aurumv1.Suit

// The suits, in the order in which cards are sorted.
const (
	Bismuth    = aurumv1.Bismuth
	Copper     = aurumv1.Copper
	Phosphorus = aurumv1.Phosphorus
	Silver     = aurumv1.Silver
	Zinc       = aurumv1.Zinc
	Gold       = aurumv1.Gold
)

// ParseCard returns the card of a name, like B7.
func ParseCard(name string) (Card, error) {
	card := Card(aurumv1.Card_value[name])
	if card == NoCard {
		return NoCard, fmt.Errorf("%q is no card: B1 to B10, the same with C, P, S and Z, and G0 to G8 are", name)
	}
	return card, nil
}
