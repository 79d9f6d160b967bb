"""Writes figures of a comparison as text, in the same way while it runs and at its end."""

from aurum.compare.report import Figures
from aurum.compare.settings import Settings
from aurum.statistics.elo import elo_of

UNKNOWN = "n/a"


def test_words(settings: Settings, preset: str | None) -> str:
    """The test: its bounds, model, statistic and error rates."""
    bounds = settings.bounds
    name = f"{preset}: " if preset else ""
    return (
        f"{name}[{bounds.elo0:g}, {bounds.elo1:g}] {bounds.model} Elo of {settings.statistic}, "
        f"alpha {bounds.alpha:g}, beta {bounds.beta:g}"
    )


def llr_words(figures: Figures, settings: Settings) -> str:
    """The log-likelihood ratio between its bounds."""
    return f"{figures.llr:+.2f} in [{settings.bounds.lower:.2f}, {settings.bounds.upper:+.2f}]"


def elo_words(figures: Figures) -> str:
    """Elo, and its interval that holds at any time; nothing of both while the games say nothing."""
    if figures.elo is None and (figures.elo_low, figures.elo_high) == (elo_of(0), elo_of(1)):
        return UNKNOWN
    elo = UNKNOWN if figures.elo is None else f"{figures.elo:+.1f}"
    return f"{elo} ({figures.elo_low:+.1f} to {figures.elo_high:+.1f})"


def correlation_words(figures: Figures) -> str:
    """The correlation of two games of a deal group."""
    return UNKNOWN if figures.pair_correlation is None else f"{figures.pair_correlation:+.2f}"
