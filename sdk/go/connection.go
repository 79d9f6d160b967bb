package aurum

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// backoff holds the pauses between streams; the last one repeats.
var backoff = []time.Duration{
	50 * time.Millisecond, 100 * time.Millisecond, 200 * time.Millisecond, 400 * time.Millisecond, 500 * time.Millisecond,
}

// passing holds the ways in which a stream can end that are worth taking it up again. Without a Goodbye, OK is one;
// ResourceExhausted is what the library makes of a connection that was cut as too busy.
var passing = []codes.Code{
	codes.OK, codes.Unavailable, codes.Canceled, codes.Unknown, codes.Internal, codes.Aborted, codes.ResourceExhausted,
}

// A connection lasts from the start of a bot to the referee's Goodbye, over as many streams as it takes.
type connection struct {
	session  *session
	referee  endpoint
	patience time.Duration // with a referee that has never been there; later its Welcome says

	converse func(*session, endpoint, time.Duration) (*status.Status, error)
	now      func() time.Time
	sleep    func(time.Duration)
}

// keep returns an error if the session fails, or the referee refuses, is not there, or does not come back in time.
func (c *connection) keep() error {
	patience, lost, failures, ending := c.patience, c.now(), 0, "no answer"
	for {
		left := lost.Add(patience).Sub(c.now())
		if left <= 0 {
			return fmt.Errorf("no referee at %v within %g s: %s", c.referee, patience.Seconds(), ending)
		}
		end, err := c.converse(c.session, c.referee, left)
		if err != nil || c.session.goodbye != nil {
			return err
		}
		ending = cmp.Or(end.Message(), end.Code().String())
		if !slices.Contains(passing, end.Code()) {
			return fmt.Errorf("the referee refused: %s", ending)
		}
		if c.session.welcomed {
			lost = c.now()
			patience = time.Duration(c.session.welcome.ReconnectGraceMs) * time.Millisecond
		}
		if c.session.lived {
			failures = 0
		}
		c.sleep(backoff[min(failures, len(backoff)-1)])
		failures++
	}
}
