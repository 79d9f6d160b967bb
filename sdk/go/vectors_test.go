package aurum

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"testing"
	"time"

	"aurum.arena/aurum/aurumv1"
	"google.golang.org/protobuf/proto"
)

// load reads one of the files that the SDKs of all languages share.
func load(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "vectors", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

func TestCardVectors(t *testing.T) {
	var vectors struct {
		Cards []struct {
			Name              string
			Value, Suit, Rank int
			Gold              bool
		}
		NotCards []string `json:"not_cards"`
	}
	load(t, "cards.json", &vectors)
	if len(vectors.Cards) != len(aurumv1.Card_name)-1 || len(vectors.NotCards) == 0 {
		t.Fatalf("%d cards and %d others", len(vectors.Cards), len(vectors.NotCards))
	}
	for _, want := range vectors.Cards {
		card, err := ParseCard(want.Name)
		if err != nil {
			t.Error(err)
		}
		if int(card) != want.Value || int(card.Suit()) != want.Suit || card.Rank() != want.Rank ||
			card.IsGold() != want.Gold || card.String() != want.Name {
			t.Errorf("%s is read as %d: %v of suit %d, rank %d", want.Name, card, card, card.Suit(), card.Rank())
		}
	}
	for _, name := range append(vectors.NotCards, "CARD_UNSPECIFIED") {
		if card, err := ParseCard(name); err == nil {
			t.Errorf("%q is read as %v", name, card)
		}
	}
}

type moveVector struct {
	Card     string
	Pass     bool
	Exchange *struct {
		Gold, Card string
		Seat       int
	}
}

func (v moveVector) move(t *testing.T) Move {
	t.Helper()
	switch {
	case v.Pass:
		return Pass()
	case v.Exchange != nil:
		return Exchange(parse(t, v.Exchange.Gold), parse(t, v.Exchange.Card), v.Exchange.Seat)
	default:
		return Play(parse(t, v.Card))
	}
}

func parse(t *testing.T, name string) Card {
	t.Helper()
	card, err := ParseCard(name)
	if err != nil {
		t.Fatal(err)
	}
	return card
}

func TestTurnVectors(t *testing.T) {
	var vectors struct {
		Turns []struct {
			Name          string
			GameStartWire []byte `json:"game_start_wire"`
			TurnWire      []byte `json:"turn_wire"`
			Reading       any
			Answers       []struct {
				Move       moveVector
				ActionWire []byte `json:"action_wire"`
			}
			Refused []struct{ Move moveVector }
		}
	}
	load(t, "turns.json", &vectors)
	if len(vectors.Turns) == 0 {
		t.Fatal("no turns")
	}
	for _, vector := range vectors.Turns {
		t.Run(vector.Name, func(t *testing.T) {
			message := asking(t, vector.GameStartWire, vector.TurnWire)
			for _, answer := range vector.Answers {
				turn, action, err := ask(message, answer.Move.move(t))
				if err != nil {
					t.Fatal(err)
				}
				if got := reading(t, turn); !reflect.DeepEqual(vector.Reading, got) {
					t.Errorf("want %v\n got %v", vector.Reading, got)
				}
				if got, err := proto.Marshal(action); err != nil || !bytes.Equal(answer.ActionWire, got) {
					t.Errorf("%v is sent as %x, %v; want %x", answer.Move.move(t), got, err, answer.ActionWire)
				}
			}
			for _, refused := range vector.Refused {
				if _, _, err := ask(message, refused.Move.move(t)); err == nil {
					t.Errorf("%v is sent", refused.Move.move(t))
				}
			}
			if _, _, err := ask(message, Move{}); err == nil {
				t.Error("the zero Move is sent")
			}
		})
	}
}

// asking returns the message with which a stream begins that asks for one turn.
func asking(t *testing.T, startWire, turnWire []byte) []byte {
	t.Helper()
	start, turn := new(aurumv1.GameStart), new(aurumv1.Turn)
	for wire, message := range map[*[]byte]proto.Message{&startWire: start, &turnWire: turn} {
		if err := proto.Unmarshal(*wire, message); err != nil {
			t.Fatal(err)
		}
	}
	return marshal(t, say(welcome(), started(start), asked(turn)))
}

var arrived = time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC)

// ask has a new session answer a message that holds one turn with a move.
func ask(message []byte, move Move) (asked *Turn, answer *aurumv1.Action, err error) {
	session := newSession(Bot{Choose: func(turn *Turn) Move {
		asked = turn
		return move
	}})
	session.hello()
	for action, err := range session.answers(message, arrived) {
		if err != nil {
			return asked, nil, err
		}
		answer = action
	}
	return asked, answer, nil
}

// reading says what a bot sees of a turn, as the vectors do.
func reading(t *testing.T, turn *Turn) any {
	t.Helper()
	table := turn.Table
	seats, tricks, exchanges := []any{}, []any{}, []any{}
	for _, seat := range table.Seats {
		seats = append(seats, map[string]any{
			"collection": names(seat.Collection), "bid": name(seat.Bid), "tricks_taken": seat.TricksTaken,
			"hand_size": seat.HandSize, "nuggets": seat.Nuggets, "points": append([]uint32{}, seat.Points...),
		})
	}
	for _, trick := range table.Tricks {
		tricks = append(tricks, map[string]any{
			"leader": trick.Leader, "cards": names(trick.Cards), "winner": trick.Winner,
			"collector": trick.Collector, "collected": name(trick.Collected),
		})
	}
	for _, change := range table.Exchanges {
		exchanges = append(exchanges, map[string]any{
			"trick": change.Trick, "seat": change.Seat, "gold": name(change.Gold), "bid_seat": change.BidSeat,
			"laid": name(change.Laid), "taken": name(change.Taken),
		})
	}
	var trick, partner any
	if table.Trick != nil {
		trick = map[string]any{"leader": table.Trick.Leader, "cards": names(table.Trick.Cards)}
	}
	if seat, ok := turn.Partner(); ok {
		partner = seat
	}
	phase := map[aurumv1.Phase]string{
		PhaseBid: "BID", PhaseExchange: "EXCHANGE", PhaseLead: "LEAD", PhaseFollow: "FOLLOW",
	}[turn.Phase]
	encoded, err := json.Marshal(map[string]any{
		"game": strconv.FormatUint(turn.Game, 10), "number": turn.Number, "phase": phase,
		"seat": turn.Seat(), "players": turn.Players(), "partner": partner,
		"hand": names(turn.Hand), "own_bid": name(turn.OwnBid), "legal_cards": names(turn.LegalCards),
		"may_pass": turn.MayPass, "time_left_ms": turn.deadline.Sub(arrived).Milliseconds(),
		"round": table.Round, "first_player": table.FirstPlayer, "leader": table.Leader, "to_act": table.ToAct,
		"leftover": names(table.Leftover), "supply": names(table.Supply), "seats": seats,
		"trick": trick, "tricks": tricks, "exchanges": exchanges,
	})
	if err != nil {
		t.Fatal(err)
	}
	var decoded any
	if err := json.Unmarshal(encoded, &decoded); err != nil {
		t.Fatal(err)
	}
	return decoded
}

func name(card Card) any {
	if card == NoCard {
		return nil
	}
	return card.String()
}

func names(cards []Card) []any {
	all := []any{}
	for _, card := range cards {
		all = append(all, name(card))
	}
	return all
}

var sessionErrors = map[string]error{
	"":              nil,
	"malformed":     errMalformed,
	"no_welcome":    errNoWelcome,
	"version":       errVersion,
	"unknown_game":  errUnknownGame,
	"unknown_phase": errUnknownPhase,
}

func TestSessionVectors(t *testing.T) {
	var vectors struct {
		Sessions []sessionVector
	}
	load(t, "sessions.json", &vectors)
	if len(vectors.Sessions) == 0 {
		t.Fatal("no sessions")
	}
	for _, vector := range vectors.Sessions {
		t.Run(vector.Name, vector.run)
	}
}

type sessionVector struct {
	Name    string
	Streams [][]struct {
		ReceiveWire []byte   `json:"receive_wire"`
		SendWire    [][]byte `json:"send_wire"`
	}
	Asked   int
	Faults  []string
	Goodbye *string
	Error   string
}

func (v sessionVector) run(t *testing.T) {
	asked, faults := 0, []string{}
	session := newSession(Bot{
		Choose: func(turn *Turn) Move {
			asked++
			return first(turn)
		},
		Fault: func(fault *aurumv1.Fault) { faults = append(faults, shortName(fault.Kind, "FAULT_KIND_")) },
	})
	var failed error
	for _, stream := range v.Streams {
		session.hello()
		for number, message := range stream {
			if failed != nil || session.goodbye != nil {
				t.Fatalf("over before message %d: %v, %v", number, failed, session.goodbye)
			}
			sent := [][]byte{}
			for action, err := range session.answers(message.ReceiveWire, arrived) {
				if err != nil {
					failed = err
					break
				}
				sent = append(sent, marshal(t, action))
			}
			if !slices.EqualFunc(message.SendWire, sent, bytes.Equal) {
				t.Fatalf("message %d is answered with %x, want %x", number, sent, message.SendWire)
			}
		}
	}
	if want, known := sessionErrors[v.Error]; !known || !errors.Is(failed, want) {
		t.Errorf("ends with %v, want %q", failed, v.Error)
	}
	if v.Asked != asked {
		t.Errorf("the bot was asked %d times, want %d", asked, v.Asked)
	}
	if !slices.Equal(v.Faults, faults) {
		t.Errorf("the bot was told of %v, want %v", faults, v.Faults)
	}
	if (v.Goodbye == nil) != (session.goodbye == nil) || v.Goodbye != nil && *v.Goodbye != session.goodbye.Reason {
		t.Errorf("the Goodbye is %v", session.goodbye)
	}
}
