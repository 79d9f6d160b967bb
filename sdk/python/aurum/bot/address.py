"""Where the referee is, and what it knows this instance by: as the environment or the command line says."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, NoReturn

from aurum.bot.errors import UsageError

_HINT = "bots are started by the arena (arena play --bot NAME=COMMAND ...), or with --address and --token"


class RefereeAddress(NamedTuple):
    """Where the referee is, and what it knows this instance by."""

    address: str
    token: str


def referee_address(address: str, token: str, hint: str) -> RefereeAddress:
    """Both from the contract's variables; raises UsageError, which ends with `hint`, if one is missing or wrong."""
    for value, name in ((address, "AURUM_ADDRESS"), (token, "AURUM_TOKEN")):
        if not value:
            raise UsageError(f"{name} is not set: {hint}")
    host, _, port = address.rpartition(":")
    if not (host and port.isdecimal()) and not address.startswith("unix:/"):
        raise UsageError(f"{address!r} is no address: host:port or unix:/path is expected")
    return RefereeAddress(address, token)


def bots_address(arguments: Sequence[str], env: Mapping[str, str]) -> RefereeAddress:
    """What a bot was started with; raises UsageError if that is wrong."""
    address, token = env.get("AURUM_ADDRESS", ""), env.get("AURUM_TOKEN", "")
    if arguments:
        address, token = _parsed(arguments, address, token)
    return referee_address(address, token, _HINT)


def _parsed(arguments: Sequence[str], address: str, token: str) -> tuple[str, str]:
    import argparse  # here, since the arena starts bots without arguments, and each starts sooner without it

    class Parser(argparse.ArgumentParser):
        def error(self, message: str) -> NoReturn:
            raise UsageError(f"{message}; {_HINT}")

    parser = Parser(description="A bot of the Aurum Arena.", allow_abbrev=False)
    parser.add_argument("--address", default=address, help="host:port or unix:/path")
    parser.add_argument("--token", default=token, help="what the referee knows this seat by")
    options = parser.parse_args(arguments)
    return options.address, options.token
