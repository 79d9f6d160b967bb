package aurum

import (
	"reflect"
	"testing"
	"time"

	"aurum.arena/aurum/aurumv1"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// An attempt is one stream to a referee, on a clock that moves only in attempts and pauses.
type attempt struct {
	takes           time.Duration
	welcomed, lived bool
	code            codes.Code
}

var (
	nobody  = attempt{code: codes.Unavailable}
	nothing = attempt{welcomed: true, code: codes.Unavailable}
	games   = attempt{takes: time.Hour, welcomed: true, lived: true, code: codes.Unavailable}
)

const grace = 5 * time.Second

// kept makes the attempts, the last one again and again, and returns the time given to each, the pauses after them,
// and how it ended. After 40 attempts the referee says Goodbye.
func kept(attempts ...attempt) (given, pauses []time.Duration, err error) {
	clock := arrived
	connection := connection{
		session:  newSession(Bot{}),
		referee:  endpoint{network: "tcp", address: "127.0.0.1:1"},
		patience: firstPatience,
		now:      func() time.Time { return clock },
		sleep: func(pause time.Duration) {
			pauses = append(pauses, pause)
			clock = clock.Add(pause)
		},
		converse: func(s *session, _ endpoint, within time.Duration) (*status.Status, error) {
			attempt := attempts[min(len(given), len(attempts)-1)]
			given = append(given, within)
			clock = clock.Add(attempt.takes)
			s.hello()
			if attempt.welcomed {
				s.welcome = &aurumv1.Welcome{ReconnectGraceMs: uint32(grace.Milliseconds())}
			}
			s.welcomed, s.lived = attempt.welcomed, attempt.lived
			if len(given) == 40 {
				s.goodbye = new(aurumv1.Goodbye)
			}
			return status.New(attempt.code, "gone"), nil
		},
	}
	err = connection.keep()
	return given, pauses, err
}

func milliseconds(all ...time.Duration) []time.Duration {
	for i := range all {
		all[i] *= time.Millisecond
	}
	return all
}

func wantDurations(t *testing.T, what string, want, got []time.Duration) {
	t.Helper()
	if !reflect.DeepEqual(want, got) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func TestPausesGrowAndStay(t *testing.T) {
	_, pauses, err := kept(nobody)
	wantError(t, err, "no referee at 127.0.0.1:1 within 10 s: gone")
	wantDurations(t, "pauses", milliseconds(50, 100, 200, 400, 500, 500, 500), pauses[:7])
}

func TestGraceRunsFromTheLoss(t *testing.T) {
	given, _, err := kept(nobody, games, nobody)
	wantError(t, err, "no referee at 127.0.0.1:1 within 5 s: gone")
	wantDurations(t, "given", milliseconds(10_000, 9_950, 4_950, 4_850, 4_650), given[:5])
}

func TestPausesBeginAnewAfterGames(t *testing.T) {
	_, pauses, err := kept(games, nobody, nobody, games, nobody)
	wantError(t, err, "within 5 s")
	wantDurations(t, "pauses", milliseconds(50, 100, 200, 50, 100), pauses[:5])
}

// A referee that says Welcome and no more is there, but is not to be asked at full speed.
func TestPausesGrowWhereNothingIsSaid(t *testing.T) {
	given, pauses, err := kept(nothing)
	if err != nil {
		t.Error(err)
	}
	wantDurations(t, "pauses", milliseconds(50, 100, 200, 400, 500, 500), pauses[:6])
	wantDurations(t, "given", milliseconds(10_000, 4_950, 4_900, 4_800, 4_600, 4_500, 4_500), given[:7])
}
