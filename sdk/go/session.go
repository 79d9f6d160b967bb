package aurum

import (
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"aurum.arena/aurum/aurumv1"
	"google.golang.org/protobuf/proto"
)

const protocolVersion = 1

// What a referee can do wrong.
var (
	errMalformed    = errors.New("the referee sent bytes that are no PlayResponse")
	errNoWelcome    = errors.New("the referee's first message holds no Welcome")
	errVersion      = errors.New("the referee speaks another version of the protocol")
	errUnknownGame  = errors.New("the referee asked for a turn of a game that it has not started")
	errUnknownPhase = errors.New("the referee asked for a turn of an unknown phase")
)

// A session is the bot's side of the conversation, without network or clock: from the first Hello to the Goodbye,
// over as many streams as it takes. Games go on where they were after another Hello, and a turn that comes again
// gets the same answer again, without asking the bot.
type session struct {
	bot     Bot
	games   map[uint64]*game
	welcome *aurumv1.Welcome // the last one
	goodbye *aurumv1.Goodbye // set once the referee is done with this bot

	// What the referee has said in this stream: a Welcome, and more than that.
	welcomed, lived bool
}

type game struct {
	start *aurumv1.GameStart
	last  *aurumv1.Action
}

func newSession(bot Bot) *session {
	return &session{bot: bot, games: map[uint64]*game{}}
}

// hello begins a stream: it returns the first message.
func (s *session) hello() *aurumv1.PlayRequest {
	s.welcomed, s.lived = false, false
	return &aurumv1.PlayRequest{Hello: &aurumv1.Hello{
		ProtocolVersion: protocolVersion,
		Bot:             s.bot.Name,
		Version:         s.bot.Version,
		Language:        "go",
		Sdk:             "aurum-go/" + version,
	}}
}

// answers reads a message that arrived at a time and asks the bot for each turn in it. An error is the last that
// comes, and ends the session.
func (s *session) answers(data []byte, arrived time.Time) iter.Seq2[*aurumv1.Action, error] {
	return func(yield func(*aurumv1.Action, error) bool) {
		updates, err := s.read(data)
		if err != nil {
			yield(nil, err)
			return
		}
		for _, update := range updates {
			action, err := s.take(update, arrived)
			if (action != nil || err != nil) && !yield(action, err) || err != nil || s.goodbye != nil {
				return
			}
		}
	}
}

func (s *session) read(data []byte) ([]*aurumv1.Update, error) {
	message := new(aurumv1.PlayResponse)
	if err := proto.Unmarshal(data, message); err != nil {
		return nil, fmt.Errorf("%w: %w", errMalformed, err)
	}
	if !s.welcomed {
		if message.Welcome == nil {
			return nil, errNoWelcome
		}
		if theirs := message.Welcome.ProtocolVersion; theirs != protocolVersion {
			return nil, fmt.Errorf("%w: version %d, this bot version %d: use the SDK of the tournament's arena",
				errVersion, theirs, protocolVersion)
		}
		s.welcome, s.welcomed = message.Welcome, true
	}
	s.lived = s.lived || len(message.Updates) > 0
	return message.Updates, nil
}

// take acts on one update; the answer is nil to all but a turn.
func (s *session) take(update *aurumv1.Update, arrived time.Time) (*aurumv1.Action, error) {
	switch kind := update.Kind.(type) {
	case *aurumv1.Update_Turn:
		return s.answer(kind.Turn, arrived)
	case *aurumv1.Update_GameStart:
		return nil, s.gameStart(kind.GameStart)
	case *aurumv1.Update_RoundEnd:
		if s.games[kind.RoundEnd.Game] != nil {
			return nil, tell("RoundEnd", s.bot.RoundEnd, kind.RoundEnd)
		}
	case *aurumv1.Update_GameEnd:
		if s.games[kind.GameEnd.Game] != nil {
			delete(s.games, kind.GameEnd.Game)
			return nil, tell("GameEnd", s.bot.GameEnd, kind.GameEnd)
		}
	case *aurumv1.Update_Fault:
		if s.bot.Fault == nil {
			printFault(kind.Fault)
		}
		return nil, tell("Fault", s.bot.Fault, kind.Fault)
	case *aurumv1.Update_Goodbye:
		s.goodbye = kind.Goodbye
	}
	return nil, nil // the rest is for later protocols to say
}

// gameStart takes in a game; after a reconnection one may be announced again, and goes on as it was.
func (s *session) gameStart(start *aurumv1.GameStart) error {
	if s.games[start.Game] != nil {
		return nil
	}
	s.games[start.Game] = &game{start: start}
	return tell("GameStart", s.bot.GameStart, start)
}

func (s *session) answer(message *aurumv1.Turn, arrived time.Time) (*aurumv1.Action, error) {
	game := s.games[message.Game]
	if game == nil {
		return nil, fmt.Errorf("%w: game %d", errUnknownGame, message.Game)
	}
	if game.last != nil && game.last.Number == message.Number {
		return game.last, nil
	}
	switch message.Phase {
	case PhaseBid, PhaseExchange, PhaseLead, PhaseFollow:
	default:
		return nil, fmt.Errorf("%w: %d", errUnknownPhase, message.Phase)
	}
	turn := &Turn{
		Turn:     message,
		Start:    game.start,
		deadline: arrived.Add(time.Duration(message.TimeLeftMs) * time.Millisecond),
	}
	var move Move
	if err := guard(func() { move = s.bot.Choose(turn) }); err != nil {
		return nil, fmt.Errorf("the bot's Choose failed at %s: %w", turn.where(), err)
	}
	if !move.answers(turn) {
		return nil, fmt.Errorf("the bot's Choose failed at %s: %v is no legal answer: %s; legal are: %s",
			turn.where(), move, move.brokenRule(turn), allowed(turn))
	}
	game.last = move.action(turn)
	return game.last, nil
}

// allowed says in words what answers a turn.
func allowed(turn *Turn) string {
	cards := strings.Trim(fmt.Sprint(turn.LegalCards), "[]")
	var moves []string
	if turn.Phase == PhaseExchange {
		gold := strings.Trim(fmt.Sprint(turn.Collection()), "[]")
		moves = append(moves, fmt.Sprintf("exchanges of gold %s and cards %s", gold, cards))
	} else if cards != "" {
		moves = append(moves, cards)
	}
	if turn.MayPass {
		moves = append(moves, "a pass")
	}
	return strings.Join(moves, ", or ")
}

// tell calls one of the bot's hooks, if it has it.
func tell[E any](name string, hook func(E), event E) error {
	if hook == nil {
		return nil
	}
	if err := guard(func() { hook(event) }); err != nil {
		return fmt.Errorf("the bot's %s failed: %w", name, err)
	}
	return nil
}
