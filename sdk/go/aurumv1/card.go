package aurumv1

// A Suit is the color of a Card.
type Suit int

// The suits, in the order in which cards are sorted.
const (
	Bismuth Suit = 1 + iota
	Copper
	Phosphorus
	Silver
	Zinc
	Gold
)

// Suit returns the card's suit.
func (x Card) Suit() Suit { return Suit(x >> 4) }

// Rank returns the card's rank: 1 to 10, or 0 to 8 of gold.
func (x Card) Rank() int { return int(x & 15) }

// IsGold reports whether the card is a gold card and not a base card.
func (x Card) IsGold() bool { return x.Suit() == Gold }
