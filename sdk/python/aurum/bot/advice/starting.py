"""Says what is wrong with how a bot is started: with what `run` is given, or that nothing calls it."""

import inspect
from collections.abc import Sequence


def wrong_bot(bot: object, base: type) -> str:
    """Why `run` cannot make a bot of what it was given: it is no class that derives from `base`."""
    name = type(bot).__name__
    if isinstance(bot, base):
        return f"run takes the class and makes the bot itself: write run({name}), not run({name}())"
    if isinstance(bot, type):
        return f"{bot.__name__} does not derive from Bot: write class {bot.__name__}(Bot)"
    return f"run takes a class that derives from Bot, not {bot!r:.60}"


def missing_methods(name: str, missing: Sequence[str]) -> str:
    """That a class overrides too little."""
    return f"{name} has no {' and no '.join(missing)}: override bid and play, or choose"


def needed_arguments(bot: type) -> str:
    """That a class cannot be made without arguments; empty if it can."""
    try:
        parameters = inspect.signature(bot).parameters.values()
    except (TypeError, ValueError):
        return ""
    no_default = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    needed = [each.name for each in parameters if each.default is each.empty and each.kind not in no_default]
    if not needed:
        return ""
    return (
        f"{bot.__name__}.__init__ wants {', '.join(needed)}, and run gives it nothing: write defaults for its arguments"
    )


def never_run(name: str, file: str) -> str:
    """That a program has ended which defines a bot and does not run it."""
    return f"{file} has ended without running its bot: write run({name}) as its last line"
