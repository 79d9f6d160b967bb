"""The errors that can end a bot's run, by whose mistake it is."""


class UsageError(Exception):
    """The bot was started wrongly; the message says how to start it."""


class AuthorError(Exception):
    """The author's code raised an exception, which is the `__cause__`; the message says where."""


class IllegalAnswer(ValueError):  # noqa: N818 - it names the answer, as `aurum.rules.IllegalMove` does the move
    """The author's code returned something that is no legal answer to the turn."""


class ProtocolError(Exception):
    """The referee said something that the protocol does not allow.

    `kind` is `malformed`, `no_welcome`, `version`, `unknown_game` or `unknown_phase`.
    """

    def __init__(self, kind: str, sentence: str) -> None:
        super().__init__(sentence)
        self.kind = kind


class RefusedError(Exception):
    """The referee ended the stream for good; the message is its own sentence."""


class UnreachableError(Exception):
    """There is no referee at the address, or it did not come back in time."""
