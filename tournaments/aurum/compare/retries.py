"""Plays a deal again in which a bot was at fault, as often as `--retry-faults` allows.

For CI on machines that others use too: a bot that was late once, or whose process something else ended, has not shown
that it is weaker. What is voided is kept as a note in the store, so that it is counted once whatever interrupts the
comparison, and the report names each.
"""

from datetime import UTC, datetime
from pathlib import Path

from aurum.compare.report import fault_in
from aurum.compare.running_comparison import RunningComparison
from aurum.results.voiding import Voiding
from aurum.store.locking import claimed
from aurum.store.store import Store


def retry(folder: Path, comparison: RunningComparison) -> Voiding | None:
    """Void the deal group whose fault ended a comparison, so that it is played again when the comparison goes on.

    None if no fault ended it, or if it has retried as often as it may; then nothing is voided.

    Args:
        folder: where its games are stored.
        comparison: over.

    Raises:
        UserError: the store cannot be used.
    """
    row, settings = comparison.fault, comparison.settings
    if row is None or not settings.retries:
        return None
    with Store.read(folder) as store:
        spec, before, fault = store.spec, len(store.voidings()), fault_in(store, row)
    if before >= settings.retries:
        return None
    now = datetime.now(UTC).isoformat(timespec="seconds")
    reason = f"was at fault in game {fault.game}: {fault.kind}: {fault.detail}"
    voiding = Voiding(now, fault.bot, settings.games, reason)
    with claimed(folder), Store.write(folder, spec) as store:
        store.void(voiding, [row.deal])
        store.settle()
    return voiding
