"""How wide an interval is whose standard error is itself only estimated."""

from functools import cache


@cache
def student_95(degrees: int) -> float:
    """How many standard errors to each side make a 95 % interval: the 97.5 % point of Student's t.

    Args:
        degrees: of freedom, at least 1: how many independent observations the error was estimated from, less one.
    """
    from scipy.special import stdtrit  # takes longer to import than most tables to compute

    return float(stdtrit(degrees, 0.975))
