"""How a command ends before its time, as far as that is not a bug: what the command line turns into an exit code."""


class UserError(Exception):
    """A mistake the user can mend: one line that names the file and the key, and says what to do.

    The command line prints it as `arena: <line>` and exits with 2. Anything else that escapes is our bug.
    """


class RunError(Exception):
    """Our own error ended a run, and no bot is to blame. What was finished is stored; the message names the log.

    The command line prints it as `arena: <line>` and exits with 5.
    """


class Interrupted(Exception):  # noqa: N818 - an event, not an error
    """The user ended a run. What was finished is stored; the same command goes on.

    The command line prints it as `arena: <line>` and exits with 130.
    """
