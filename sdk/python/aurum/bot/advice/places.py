"""Finds where a method of a bot is written."""

import dis
from inspect import unwrap
from pathlib import Path


def place_of(method: object) -> str:
    """File and line of a method, as `my_bot.py, line 8`: of its return if it has but one; empty if it is not known."""
    code = getattr(unwrap(method) if callable(method) else method, "__code__", None)
    if code is None:
        return ""
    returns = {
        instruction.positions.lineno
        for instruction in dis.get_instructions(code)
        if instruction.opname.startswith("RETURN_") and instruction.opname != "RETURN_GENERATOR"
        if instruction.positions is not None
    }
    line = returns.pop() if len(returns) == 1 else code.co_firstlineno
    file = Path(code.co_filename)
    return f"{file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file}, line {line}"
