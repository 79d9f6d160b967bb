"""The formats that there are, by the word for each in the spec."""

from collections.abc import Mapping

from aurum.formats.format import Format
from aurum.formats.gauntlet import GAUNTLET
from aurum.formats.knockout import KNOCKOUT
from aurum.formats.round_robin import ROUND_ROBIN
from aurum.formats.swiss import SWISS

FORMATS: dict[str, Format] = {
    str(format_): format_
    for format_ in (
        ROUND_ROBIN,
        SWISS,
        GAUNTLET,
        KNOCKOUT,
    )
}
"""In the order in which errors list them."""

DEFAULT = ROUND_ROBIN
"""What is played where nobody writes a spec, and what games are taken to be of where nothing else is known."""


def keys_of_others(format_: Format) -> Mapping[str, str]:
    """The keys that only other formats take, with the sentence for whoever writes them all the same."""
    return {
        key: sentence
        for other in FORMATS.values()
        for key, sentence in other.own_keys.items()
        if key not in format_.own_keys
    }
