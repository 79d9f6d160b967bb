package aurum

import (
	"fmt"
	"runtime"
	"strings"
)

// A panicError is a panic in the author's code.
type panicError struct {
	cause any
	stack string
}

func (e *panicError) Error() string { return fmt.Sprint(e.cause) }

// guard calls the author's code, and turns a panic into a panicError.
func guard(call func()) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = &panicError{cause: cause, stack: authorsStack()}
		}
	}()
	call()
	return nil
}

// authorsStack returns where a panic came from, as far as it is the author's code: nothing from guard on, nor what Go
// runs for a panic.
func authorsStack() string {
	var callers [100]uintptr
	frames := runtime.CallersFrames(callers[:runtime.Callers(3, callers[:])]) // without Callers, this, the deferred one
	var stack strings.Builder
	for more := true; more; {
		var frame runtime.Frame
		frame, more = frames.Next()
		if frame.Function == "aurum.arena/aurum.guard" {
			break
		}
		if stack.Len() > 0 || !strings.HasPrefix(frame.Function, "runtime.") {
			fmt.Fprintf(&stack, "%s\n\t%s:%d\n", frame.Function, frame.File, frame.Line)
		}
	}
	return stack.String()
}
