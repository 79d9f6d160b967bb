"""Ratings against published figures, and against programs of others."""

import math
import random
from collections import Counter

import choix
import numpy as np
import pytest
from aurum.rating.davidson_luce import Fit, estimate, information
from aurum.rating.orders import Choice, order_of
from aurum.standings.ratings import Model, Ratings, fit
from aurum.statistics.elo import student_95
from rating_data import DATA, counted, duels, lines, ranking, reference, synth2, synth3
from tournament_rows import game_row


def elo(ratings: Ratings) -> dict[str, float]:
    return {rating.bot: (rating.elo or 0) - 1500 for rating in ratings.rows}


def standard_errors(field: int, fitted: Fit, counts: Counter[Choice], to: int) -> list[float]:
    """Of the differences to one of the field, as if all choices were independent."""
    cov = np.linalg.pinv(information(field, fitted, counts), hermitian=True)
    return [math.sqrt(cov[i, i] + cov[to, to] - 2 * cov[to, i]) for i in range(field) if i != to]


def test_agresti_baseball() -> None:
    """Log-odds and standard errors of seven teams against Baltimore, without the effect of the home field."""
    teams = ["Baltimore", "Boston", "Cleveland", "Detroit", "Milwaukee", "New York", "Toronto"]
    counts = duels(
        (
            teams.index(line["home.team"]),
            teams.index(line["away.team"]),
            int(line["home.wins"]),
            int(line["away.wins"]),
            0,
        )
        for line in lines("baseball.csv")
    )
    fitted = estimate(7, counts, (1,))
    against = fitted.strengths[1:] - fitted.strengths[0]
    assert [1.10770, 0.68385, 1.43641, 1.58136, 1.24762, 1.29449] == pytest.approx(against, abs=1e-5)
    errors = standard_errors(7, fitted, counts, to=0)
    assert [0.33388, 0.33188, 0.33957, 0.34326, 0.33586, 0.33667] == pytest.approx(errors, abs=1e-5)


def test_davidson_pudding() -> None:
    """Worths of six puddings, nu, and the likelihood: two sides, with ties."""
    counts = duels(
        (int(line["i"]) - 1, int(line["j"]) - 1, int(line["w_ij"]), int(line["w_ji"]), int(line["t_ij"]))
        for line in lines("pudding.csv")
    )
    fitted = estimate(6, counts, (1, 2))
    worths = np.exp(fitted.strengths)
    expected = [0.138803, 0.173002, 0.161747, 0.165373, 0.158685, 0.202389]
    assert expected == pytest.approx(worths / worths.sum(), abs=1e-6)
    assert {2: 0.746823} == pytest.approx(fitted.ties, abs=1e-6)
    assert -809.70951 == pytest.approx(fitted.log_likelihood, abs=1e-5)


def test_hunter_nascar() -> None:
    """Strengths of 83 drivers from orders of more than forty, and the likelihood."""
    names = (DATA / "nascar_drivers.txt").read_text(encoding="utf-8").splitlines()
    races = [[int(driver) - 1 for driver in line.values()] for line in lines("nascar.csv")]
    fitted = estimate(83, counted(tuple(((d,),) for d in race if d < 83) for race in races), (1,))
    found = {name: value - fitted.strengths[0] for name, value in zip(names, fitted.strengths, strict=False)}
    expected = {"PJ Jones": 4.15, "Scott Pruett": 3.62, "Mark Martin": 2.08}
    assert expected == pytest.approx({name: found[name] for name in expected}, abs=0.005)
    assert -4191.0973 == pytest.approx(fitted.log_likelihood, abs=1e-4)


def test_plackett_luce_fruits() -> None:
    """Ties of two and of three in rankings of some of four fruits: the example of the R package PlackettLuce."""
    ranks = [(1, 2, 0, 0), (4, 1, 2, 3), (2, 1, 1, 1), (1, 2, 3, 0), (2, 1, 1, 0), (1, 0, 3, 2)]
    fitted = estimate(4, counted(map(ranking, ranks)), (1, 2, 3))
    assert [0, 0.294287, -0.733511, -0.119096] == pytest.approx(fitted.strengths - fitted.strengths[0], abs=1e-6)
    logs = {size: math.log(delta) for size, delta in fitted.ties.items()}
    assert {2: -1.861947, 3: -0.736973} == pytest.approx(logs, abs=1e-6)
    assert -14.569739 == pytest.approx(fitted.log_likelihood, abs=1e-6)


@pytest.mark.parametrize(("model", "name"), [(Model.BRADLEY_TERRY, "BT_draw_half"), (Model.DAVIDSON_LUCE, "Davidson")])
def test_390_games_with_draws(model: Model, name: str) -> None:
    """The Elo of six bots, by both models, equals what two other programs found, and so does nu."""
    expected = reference("synth2_reference.json")[name]
    ratings = fit(synth2(), model=model)
    assert (("alpha", "bravo", "charlie", "delta", "echo", "foxtrot"),) == ratings.islands
    assert expected["elo"] == pytest.approx(elo(ratings), abs=1e-3)
    assert ({2: expected["nu"]} if "nu" in expected else {}) == pytest.approx(dict(ratings.ties), abs=1e-6)


def test_ordo() -> None:
    """Draws as half wins: the ratings of Ordo 1.2.6 on the logistic scale (`-z 200.2397 -a 0`)."""
    ordo = {"alpha": 123.993, "bravo": 59.403, "charlie": -2.766, "delta": -6.650, "echo": -39.449, "foxtrot": -134.531}
    assert ordo == pytest.approx(elo(fit(synth2(), model=Model.BRADLEY_TERRY)), abs=0.01)


def test_errors_of_390_games_with_draws() -> None:
    """With every game a deal group of its own, errors are the reference's sandwich errors, times sqrt(G / (G - 1))."""
    rows = synth2()
    ratings = fit(rows, model=Model.BRADLEY_TERRY)
    correction = math.sqrt(len(rows) / (len(rows) - 1))
    errors = {r.bot: (r.error or 0) / student_95(r.groups - 1) / correction for r in ratings.rows}
    assert reference("synth2_reference.json")["BT_draw_half"]["se_sandwich"] == pytest.approx(errors, abs=1e-3)


def test_errors_of_the_model_itself() -> None:
    """Errors as if Davidson's model were true, relative to the mean, are the reference's."""
    expected = reference("synth2_reference.json")["Davidson"]["se_pool"]
    bots = sorted(expected)
    counts = counted(order_of(tuple((bots.index(bot),) for bot in row.bots), row.placing) for row in synth2())
    fitted = estimate(6, counts, (1, 2))
    cov = np.linalg.pinv(information(6, fitted, counts), hermitian=True)
    spread = 400 / math.log(10) * np.sqrt(np.diag(cov)[:6])
    assert expected == pytest.approx(dict(zip(bots, spread, strict=True)), abs=2e-3)
    expected = reference("synth2_reference.json")["Davidson"]["loglik"]
    assert expected == pytest.approx(fitted.log_likelihood, abs=1e-6)


def test_126_games_of_three() -> None:
    """Orders of three with ties: Elo of seven bots and delta, as two other programs found."""
    expected = reference("synth3_reference.json")
    ratings = fit(synth3(), model=Model.DAVIDSON_LUCE)
    assert expected["elo"] == pytest.approx(elo(ratings), abs=1e-3)
    assert {2: expected["delta"][0]} == pytest.approx(dict(ratings.ties), abs=1e-6)


@pytest.mark.parametrize("model", [Model.DAVIDSON_LUCE, Model.BRADLEY_TERRY])
@pytest.mark.parametrize("seed", range(2))
def test_choix_agrees_where_nothing_is_drawn(seed: int, model: Model) -> None:
    """On random wins of twenty bots both models are Bradley's and Terry's, as another library fits it."""
    chance = random.Random(seed)
    strength = [chance.gauss(0, 0.7) for _ in range(20)]
    wins = []
    for _ in range(900):
        a, b = chance.sample(range(20), 2)
        wins.append((a, b) if chance.random() < 1 / (1 + math.exp(strength[b] - strength[a])) else (b, a))
    theirs = choix.opt_pairwise(20, wins, tol=1e-9)
    ours = fit([game_row("m", deal, 0, (f"{a}", f"{b}"), (1, 2)) for deal, (a, b) in enumerate(wins)], model=model)
    found = {str(bot): 400 / math.log(10) * float(value - np.mean(theirs)) for bot, value in enumerate(theirs)}
    assert found == pytest.approx(elo(ours), abs=1e-2)
