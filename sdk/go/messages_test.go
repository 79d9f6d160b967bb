package aurum

import (
	"testing"

	"aurum.arena/aurum/aurumv1"
	"google.golang.org/protobuf/proto"
)

// first answers with the first legal card; it passes in an exchange window, and where there is no card.
func first(turn *Turn) Move {
	if turn.Phase == PhaseExchange || len(turn.LegalCards) == 0 {
		return Pass()
	}
	return Play(turn.LegalCards[0])
}

func marshal(t *testing.T, message proto.Message) []byte {
	t.Helper()
	data, err := proto.Marshal(message)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// say puts a message of the referee together; a nil Welcome is none.
func say(welcome *aurumv1.Welcome, updates ...*aurumv1.Update) *aurumv1.PlayResponse {
	return &aurumv1.PlayResponse{Welcome: welcome, Updates: updates}
}

func welcome() *aurumv1.Welcome {
	return &aurumv1.Welcome{ProtocolVersion: 1, Seat: 2, Players: 4, ReconnectGraceMs: 20_000}
}

func started(start *aurumv1.GameStart) *aurumv1.Update {
	return &aurumv1.Update{Kind: &aurumv1.Update_GameStart{GameStart: start}}
}

// start announces a game in which the bot has seat 2 of four.
func start(game uint64) *aurumv1.Update {
	return started(&aurumv1.GameStart{Game: game, Seat: 2, Players: 4})
}

func asked(turn *aurumv1.Turn) *aurumv1.Update {
	return &aurumv1.Update{Kind: &aurumv1.Update_Turn{Turn: turn}}
}

// follow asks for a card; what may be played is B7, C5 or a pass.
func follow(game uint64, number uint32) *aurumv1.Update {
	cards := []Card{aurumv1.Card_B7, aurumv1.Card_C5}
	return asked(&aurumv1.Turn{Game: game, Number: number, Phase: PhaseFollow, LegalCards: cards, MayPass: true})
}

func roundOver(game uint64) *aurumv1.Update {
	return &aurumv1.Update{Kind: &aurumv1.Update_RoundEnd{RoundEnd: &aurumv1.RoundEnd{Game: game}}}
}

func gameOver(game uint64) *aurumv1.Update {
	return &aurumv1.Update{Kind: &aurumv1.Update_GameEnd{GameEnd: &aurumv1.GameEnd{Game: game}}}
}

func faulted(fault *aurumv1.Fault) *aurumv1.Update {
	return &aurumv1.Update{Kind: &aurumv1.Update_Fault{Fault: fault}}
}

func bye() *aurumv1.Update {
	return &aurumv1.Update{Kind: &aurumv1.Update_Goodbye{Goodbye: &aurumv1.Goodbye{Reason: "the games are over"}}}
}
