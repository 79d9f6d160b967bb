package aurum

import (
	"io"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"aurum.arena/aurum/aurumv1"
)

// tellAll gives a new session one message and returns how it ended.
func tellAll(t *testing.T, bot Bot, updates ...*aurumv1.Update) error {
	t.Helper()
	session := newSession(bot)
	session.hello()
	for _, err := range session.answers(marshal(t, say(welcome(), updates...)), arrived) {
		if err != nil {
			return err
		}
	}
	return nil
}

func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q is not in: %v", part, err)
		}
	}
}

func TestIllegalAnswerNamesTurnAnswerAndWhatIsLegal(t *testing.T) {
	bot := Bot{Choose: func(*Turn) Move { return Play(aurumv1.Card_Z9) }}
	err := tellAll(t, bot, start(7), follow(7, 3))
	wantError(t, err, "turn 3 of game 7 (follow, seat 2)", "Z9 is no legal answer: the card is not in the hand", "legal are: B7 C5, or a pass")
}

func TestIllegalAnswerNamesTheRuleThatItBreaks(t *testing.T) {
	hand := []Card{aurumv1.Card_B7, aurumv1.Card_Z9}
	for _, broken := range []struct {
		phase aurumv1.Phase
		move  Move
		rule  string
	}{
		{PhaseFollow, Play(aurumv1.Card_Z9), "a card of that suit is in the trick already"},
		{PhaseFollow, Play(aurumv1.Card_C1), "the card is not in the hand"},
		{PhaseFollow, Play(aurumv1.Card_G3), "no gold of that rank is in the collection"},
		{PhaseFollow, Pass(), "whoever holds a card of a suit not yet in the trick cannot end the round"},
		{PhaseLead, Play(aurumv1.Card_G3), "gold cannot lead a trick"},
		{PhaseBid, Play(aurumv1.Card_G3), "gold cannot be a bid card"},
		{PhaseLead, Pass(), "this kind of move is not asked for now"},
		{PhaseExchange, Play(aurumv1.Card_B7), "this kind of move is not asked for now"},
		{PhaseExchange, Exchange(aurumv1.Card_G3, aurumv1.Card_B7, 2), "an exchange takes gold of the own collection"},
		{PhaseBid, Move{}, "a move is wanted"},
	} {
		turn := &aurumv1.Turn{Game: 7, Number: 1, Phase: broken.phase, Hand: hand, LegalCards: hand[:1]}
		bot := Bot{Choose: func(*Turn) Move { return broken.move }}
		wantError(t, tellAll(t, bot, start(7), asked(turn)), broken.rule)
	}
}

func TestIllegalExchangeNamesWhatIsLegal(t *testing.T) {
	turn := &aurumv1.Turn{
		Game: 7, Number: 1, Phase: PhaseExchange, MayPass: true,
		LegalCards: []Card{aurumv1.Card_B7, aurumv1.Card_C5},
		Table:      &aurumv1.Table{Seats: []*aurumv1.SeatState{{}, {}, {Collection: []Card{aurumv1.Card_G0}}, {}}},
	}
	bot := Bot{Choose: func(*Turn) Move { return Exchange(aurumv1.Card_G1, aurumv1.Card_B7, 2) }}
	err := tellAll(t, bot, start(7), asked(turn))
	wantError(t, err, "an exchange of G1 and B7 for the bid card of seat 2",
		"legal are: exchanges of gold G0 and cards B7 C5, or a pass")
}

func TestPanicNamesTheTurn(t *testing.T) {
	bot := Bot{Choose: func(turn *Turn) Move { panic("out of ideas") }}
	err := tellAll(t, bot, start(7), follow(7, 3))
	wantError(t, err, "Choose failed at turn 3 of game 7 (follow, seat 2): out of ideas")
}

func TestPanicInAHookNamesIt(t *testing.T) {
	bot := Bot{Choose: first, GameEnd: func(*aurumv1.GameEnd) { panic("out of ideas") }}
	wantError(t, tellAll(t, bot, start(7), gameOver(7)), "the bot's GameEnd failed: out of ideas")
}

func TestHooksAreToldOfTheBotsGames(t *testing.T) {
	var told []string
	hear := func(what string) { told = append(told, what) }
	bot := Bot{
		Choose:    func(turn *Turn) Move { hear("Choose"); return first(turn) },
		GameStart: func(start *aurumv1.GameStart) { hear("GameStart") },
		RoundEnd:  func(end *aurumv1.RoundEnd) { hear("RoundEnd") },
		GameEnd:   func(end *aurumv1.GameEnd) { hear("GameEnd") },
		Fault:     func(fault *aurumv1.Fault) { hear(fault.Detail) },
	}
	fault := faulted(&aurumv1.Fault{Detail: "a sentence"})
	err := tellAll(t, bot, start(7), start(7), follow(7, 1), fault, roundOver(7), gameOver(7), roundOver(8), gameOver(8))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"GameStart", "Choose", "a sentence", "RoundEnd", "GameEnd"}
	if !reflect.DeepEqual(want, told) {
		t.Errorf("told of %v, want %v", told, want)
	}
}

func TestFaultIsPrintedUnlessHeard(t *testing.T) {
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr := os.Stderr
	t.Cleanup(func() { os.Stderr = stderr })
	os.Stderr = writer
	kind := aurumv1.FaultKind_FAULT_KIND_ILLEGAL_MOVE
	err = tellAll(t, Bot{Choose: first},
		faulted(&aurumv1.Fault{Game: 7, Number: 3, Kind: kind, Detail: "C5 is not in the hand"}),
		faulted(&aurumv1.Fault{Kind: 99, Detail: "new"}),
	)
	os.Stderr = stderr
	writer.Close()
	if err != nil {
		t.Fatal(err)
	}
	printed, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	want := "aurum: illegal_move in game 7, turn 3: C5 is not in the hand\naurum: 99: new\n"
	if want != string(printed) {
		t.Errorf("printed %q, want %q", printed, want)
	}
}

func TestTimeLeftCountsDownFromTheArrival(t *testing.T) {
	turn := &Turn{deadline: time.Now().Add(time.Hour)}
	if left := turn.TimeLeft(); left <= 0 || left > time.Hour {
		t.Errorf("%v of an hour are left", left)
	}
	turn.deadline = time.Now().Add(-time.Hour)
	if left := turn.TimeLeft(); left >= 0 {
		t.Errorf("%v are left an hour after the deadline", left)
	}
}

func TestHelloSaysWhoPlays(t *testing.T) {
	hello := newSession(Bot{Name: "Mine", Version: "3"}).hello().Hello
	got := []any{hello.ProtocolVersion, hello.Bot, hello.Version, hello.Language, hello.Sdk}
	want := []any{uint32(1), "Mine", "3", "go", "aurum-go/0.1.0"}
	if !reflect.DeepEqual(want, got) {
		t.Errorf("Hello says %v, want %v", got, want)
	}
}
