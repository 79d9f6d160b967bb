"""The option that says whether bots run in a sandbox."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import click
from aurum.sandbox.bubblewrap import shortage
from aurum.sandbox.sandbox import SandboxMode
from aurum.spec.spec import Spec


def sandbox_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """The option that says whether bots run in a sandbox."""
    option = click.option(
        "--sandbox",
        type=click.Choice([*map(str, SandboxMode)]),
        help="Whether bots run in a sandbox; auto: if it works on this machine.",
    )
    return option(command)


def mode_of(option: str | None) -> SandboxMode:
    """What the command line says of sandboxes, where there is no spec to say it."""
    return SandboxMode(option or SandboxMode.AUTO)


def say_shortage(mode: SandboxMode) -> None:
    """Say why there is no sandbox, if one is wanted. Raises UserError if there must be one."""
    if sentence := shortage(mode):
        click.echo(f"note: {sentence}", err=True)


def in_sandbox(spec: Spec, mode: str | None) -> Spec:
    """The spec with what the command line says of sandboxes instead of its own value."""
    return replace(spec, sandbox=SandboxMode(mode or spec.sandbox))
