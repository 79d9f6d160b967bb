// Minimal bids, leads and follows with the first legal card, and never exchanges.
//
//	go build -o bin/ ./... && arena check -- bin/minimal
package main

import "aurum.arena/aurum"

func main() {
	aurum.Run(aurum.Bot{Name: "Minimal", Version: "1", Choose: choose})
}

func choose(turn *aurum.Turn) aurum.Move {
	if turn.Phase == aurum.PhaseExchange || len(turn.LegalCards) == 0 {
		return aurum.Pass()
	}
	return aurum.Play(turn.LegalCards[0])
}
