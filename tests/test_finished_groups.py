"""Deal groups that are finished: each taken once, when its last game is over."""

from random import Random

from aurum.referee.finished_groups import FinishedGroups
from aurum.referee.unit import GameTask
from hypothesis import given
from hypothesis import strategies as st


@given(st.lists(st.integers(0, 5), min_size=1, max_size=20), st.randoms(use_true_random=False))
def test_a_group_is_taken_once_it_is_whole(deals: list[int], chance: Random) -> None:
    """Whatever the order in which games end and whenever it is asked; what is taken is in the order of the games."""
    games = [GameTask(str(index), deal, b"", ()) for index, deal in enumerate(deals)]
    finished, ended, taken = FinishedGroups(games), set[int](), list[int]()
    for index in chance.sample(range(len(games)), len(games)):
        finished.add(index, b"%d" % index)
        ended.add(index)
        whole = [
            other
            for other in sorted(ended)
            if other not in taken and all(deals[some] != deals[other] or some in ended for some in range(len(games)))
        ]
        assert finished.whole == len(whole)
        assert finished.waiting == len(ended) - len(whole) - len(taken)
        if chance.random() < 0.5:
            assert [b"%d" % other for other in whole] == list(finished.take())
            taken += whole
    finished.take()
    assert (finished.whole, finished.waiting, finished.take()) == (0, 0, ())
