package aurum

import (
	"fmt"
	"io"
	"reflect"
	"testing"
	"time"

	"aurum.arena/aurum/aurumv1"
	"google.golang.org/grpc"
)

// A sink is the bot's end of a stream on which nothing but sending works.
type sink struct {
	grpc.ClientStream
	sent []int // how many actions each message held
}

func (s *sink) SendMsg(message any) error {
	s.sent = append(s.sent, len(message.(*aurumv1.PlayRequest).Actions))
	return nil
}

// batches says in which messages a number of turns is answered by a bot that takes some time for each.
func batches(t *testing.T, turns int, thinking time.Duration) []int {
	t.Helper()
	clock := arrived
	bot := Bot{Choose: func(turn *Turn) Move {
		clock = clock.Add(thinking)
		return first(turn)
	}}
	var updates []*aurumv1.Update
	for game := range uint64(turns) {
		updates = append(updates, start(game), follow(game, 1))
	}
	sink := new(sink)
	stream := stream{session: newSession(bot), call: sink, now: func() time.Time { return clock }}
	if err := stream.answer(arrival{data: marshal(t, say(welcome(), updates...))}); err != nil {
		t.Fatal(err)
	}
	return sink.sent
}

func TestAnswersGoOutTogetherUnlessTheBotThinksForLong(t *testing.T) {
	for _, test := range []struct {
		turns    int
		thinking time.Duration
		want     []int
	}{
		{turns: 3, thinking: 0, want: []int{3}},
		{turns: 3, thinking: flushAfter + 1, want: []int{1, 1, 1}},
		{turns: 5, thinking: flushAfter/2 + 1, want: []int{2, 2, 1}},
		{turns: maxActions, thinking: 0, want: []int{maxActions}},
		{turns: maxActions + 1, thinking: 0, want: []int{maxActions, 1}},
		{turns: 0, thinking: 0, want: nil},
	} {
		t.Run(fmt.Sprintf("%d turns, %v each", test.turns, test.thinking), func(t *testing.T) {
			if got := batches(t, test.turns, test.thinking); !reflect.DeepEqual(test.want, got) {
				t.Errorf("sent in messages of %v, want %v", got, test.want)
			}
		})
	}
}

// A source is the bot's end of a stream on which messages come until it is closed.
type source struct {
	grpc.ClientStream
	messages chan []byte
}

func (s *source) RecvMsg(target any) error {
	data, open := <-s.messages
	if !open {
		return io.EOF
	}
	*target.(*[]byte) = data
	return nil
}

// The clocks of turns run while the bot thinks about others.
func TestMessagesAreTakenInWhileTheBotThinks(t *testing.T) {
	source := &source{messages: make(chan []byte)}
	arrivals := listen(t.Context(), source)
	began := time.Now()
	for _, text := range []string{"one", "two"} {
		source.messages <- []byte(text) // is taken only by one who listens
	}
	ended := time.Now() // the first one was stamped before the second was taken
	close(source.messages)
	one, two, end := <-arrivals, <-arrivals, <-arrivals
	if string(one.data) != "one" || string(two.data) != "two" || one.err != nil || two.err != nil || end.err != io.EOF {
		t.Errorf("arrived: %v, %v, %v", one, two, end)
	}
	if one.at.Before(began) || one.at.After(ended) {
		t.Errorf("arrived at %v, not between %v and %v", one.at, began, ended)
	}
	if _, open := <-arrivals; open {
		t.Error("more arrived after the end")
	}
}
