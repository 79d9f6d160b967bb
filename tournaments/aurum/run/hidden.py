"""What no bot may see, even where it lies in a bot's own folder: the seed, and the secret of the deals."""

from pathlib import Path

from aurum.common.errors import UserError
from aurum.sandbox.bubblewrap import usable
from aurum.sandbox.sandbox import sandbox_of
from aurum.spec.spec import Spec
from aurum.store.store import FILE


def hidden_places(spec: Spec, store: Path | None = None) -> tuple[str, ...]:
    """The file of the spec, the folder of the store, and stores that lie beside it or in the bots' folders.

    Those may be of the same tournament, as those of its shards are.

    Args:
        spec: the tournament.
        store: the folder that it is stored in, if it is.

    Raises UserError if a bot that is to run in a sandbox would have to see the store, since that is its folder.
    """
    folders = {spec.home, *(bot.folder for bot in spec.bots)}
    if store is not None and usable(sandbox_of(spec.sandbox)):
        for bot in spec.bots:
            if bot.folder.resolve() == store.resolve():
                raise UserError(
                    f"{store} is the folder of {bot.name}, which must not read the results: "
                    "give another folder by --out, or run without a sandbox (--sandbox off)"
                )
    stores = {file.parent for folder in folders for file in folder.glob(f"*/{FILE}")}
    places = {spec.home / Path(spec.source).name, *stores, *(() if store is None else (store.absolute(),))}
    return tuple(sorted(str(place) for place in places if place.exists()))
