"""How a program in a sandbox has ended."""

import signal

_BY_SIGNAL = 128
_SIGNALS = set(map(int, signal.valid_signals()))


def exit_of(code: int) -> int:
    """The exit code of the program, or minus the signal that ended it, by bubblewrap's exit code.

    Bubblewrap passes a code on, and ends with 128 and the number of a signal, as shells do: a program that ends so by
    itself looks as if a signal had ended it.
    """
    return _BY_SIGNAL - code if code - _BY_SIGNAL in _SIGNALS else code
