package aurum

import (
	"errors"
	"strings"
	"testing"
)

func beyond(cards []Card) Card { return cards[len(cards)] }

func TestTheStackOfAPanicIsTheAuthors(t *testing.T) {
	err := guard(func() { beyond(nil) })
	panicked := new(panicError)
	if !errors.As(err, &panicked) {
		t.Fatalf("guard returns %v", err)
	}
	var functions []string
	for line := range strings.Lines(panicked.stack) {
		if place, isPlace := strings.CutPrefix(line, "\t"); !isPlace {
			functions = append(functions, strings.TrimSpace(line))
		} else if !strings.Contains(place, "guard_test.go:") {
			t.Errorf("the stack leads to %s", place)
		}
	}
	if len(functions) != 2 || !strings.HasSuffix(functions[0], ".beyond") {
		t.Errorf("the stack is %s", panicked.stack)
	}
}

func TestThereIsNoErrorWithoutAPanic(t *testing.T) {
	if err := guard(func() {}); err != nil {
		t.Error(err)
	}
}
