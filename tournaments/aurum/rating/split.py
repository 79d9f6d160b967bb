"""Splits the choices of games into those that place the bots of a component, and those that place whole components.

Between two components all games went the same way. As far as the games say, they may be any distance apart; and if
they are very far apart, a choice among sides of several components says that the best of them comes first, and which
side of it does: this second part is a choice among the sides of one component (Luce's choice axiom).
"""

from collections.abc import Mapping

from aurum.rating.orders import Choice


def within(choice: Choice, component: Mapping[int, int]) -> Choice | None:
    """What a choice says about the bots of the component that was chosen; None for nothing.

    Args:
        choice: among sides of bots of one component each.
        component: the number of each bot's.
    """
    chosen = {component[bot] for side in choice.chosen for bot in side}
    if len(chosen) > 1:
        return None
    sides = tuple(side for side in choice.sides if {component[bot] for bot in side} == chosen)
    return Choice(sides, choice.chosen, choice.ties) if len(sides) > 1 else None


def across(choice: Choice, component: Mapping[int, int]) -> Choice | None:
    """What a choice says about the distances between components; None for nothing.

    That two components are never level is known from the games, so it says nothing about how often sides are.
    """
    level = len(choice.chosen) > 1 and len({component[bot] for side in choice.chosen for bot in side}) > 1
    if level or len({component[bot] for bot in choice.bots}) == 1:
        return None
    return Choice(choice.sides, choice.chosen, ties=False)
