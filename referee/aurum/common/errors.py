"""What may go wrong through the user's own doing."""


class UserError(Exception):
    """A mistake the user can mend: one line that names the file and the key, and says what to do.

    The command line prints it as `arena: <line>` and exits with 2. Anything else that escapes is our bug.
    """
