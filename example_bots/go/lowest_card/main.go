// LowestCard always does the least, without chance or memory: the same policy as example_bots/lowest_card.py.
//
//	go build -o bin/ ./... && arena check -- bin/lowest_card
package main

import (
	"cmp"
	"slices"

	"aurum.arena/aurum"
)

func main() {
	aurum.Run(aurum.Bot{Name: "LowestCard", Version: "1", Choose: choose})
}

func choose(turn *aurum.Turn) aurum.Move {
	if turn.Phase == aurum.PhaseExchange || len(turn.LegalCards) == 0 {
		return aurum.Pass()
	}
	return aurum.Play(slices.MinFunc(turn.LegalCards, byRank))
}

// byRank sorts base cards before gold, then by rank, then by suit.
func byRank(a, b aurum.Card) int {
	switch {
	case a.IsGold() && !b.IsGold():
		return 1
	case b.IsGold() && !a.IsGold():
		return -1
	}
	return cmp.Or(cmp.Compare(a.Rank(), b.Rank()), cmp.Compare(a.Suit(), b.Suit()))
}
