"""A whole game: rounds played one after another until the ruleset says that it is over."""

from aurum.rules.deal import Deal
from aurum.rules.moves import Move
from aurum.rules.phase import Phase
from aurum.rules.round import Round
from aurum.rules.ruleset import GameEnd, Ruleset
from aurum.rules.scoring import GameResult, RoundResult, is_over, score_game
from aurum.rules.seats import SIDES


class Game:
    """A game under way (docs/rules.md section 9). `play` changes it; `copy` first to keep it.

    `round` is the round under way (the last one once `over`), `finished` the round that the last move
    ended, if it did; `cards` what the round under way was dealt; `results` the finished rounds' results;
    `nuggets` by side.
    """

    __slots__ = ("cards", "deal", "finished", "nuggets", "over", "results", "round", "ruleset")

    def __init__(self, ruleset: Ruleset, deal: Deal) -> None:
        self.ruleset = ruleset
        self.deal = deal
        self.results: list[RoundResult] = []
        self.nuggets = [0] * len(SIDES[deal.players])
        self.over = False
        self.finished: Round | None = None
        self.cards = deal.round(1)
        self.round = Round(1, deal.first_player, self.cards, ruleset.gold_zeros)

    @property
    def to_act(self) -> int:
        """The seat whose move is awaited."""
        return self.round.to_act

    @property
    def phase(self) -> Phase:
        """What is asked of the seat to act; OVER once the game is over."""
        return self.round.phase

    def legal_moves(self) -> tuple[Move, ...]:
        """All moves of the seat to act; empty once the game is over."""
        return self.round.legal_moves()

    def play(self, move: Move) -> None:
        """Apply a move of the seat to act. If it ends the round, that is scored and the next one dealt.

        Raises IllegalMove, and changes nothing, if the move is not legal.
        """
        current = self.round
        current.play(move)
        if current.ended_by is None:
            self.finished = None
        else:
            self.next_round()

    def next_round(self) -> None:
        """Score the round that is over, and deal the next one unless the game is over.

        `play` does so by itself; it is for whoever plays on `round` directly, which is a little faster.
        Raises ValueError if the round is not over or the game is.
        """
        if self.over:
            raise ValueError("the game is over")
        ended = self.round
        end = self.ruleset.game_end
        result = ended.score(nuggets=end is not GameEnd.THREE_ROUNDS_TOTAL)
        self.finished = ended
        self.results.append(result)
        for side in result.winners:
            self.nuggets[side] += 1
        self.over = is_over(end, len(self.results), self.nuggets)
        if not self.over:
            number = ended.number + 1
            first = (ended.first_player + 1) % ended.players
            self.cards = self.deal.round(number)
            self.round = Round(number, first, self.cards, self.ruleset.gold_zeros)

    def result(self) -> GameResult:
        """The result of a finished game; raises ValueError before the end."""
        if not self.over:
            raise ValueError("the game is not over")
        return score_game(self.ruleset.game_end, self.nuggets, self.results)

    def copy(self) -> "Game":
        """An independent copy."""
        other = Game.__new__(Game)
        other.ruleset = self.ruleset
        other.deal = self.deal
        other.cards = self.cards
        other.results = self.results[:]
        other.nuggets = self.nuggets[:]
        other.over = self.over
        other.round = self.round.copy()
        other.finished = self.finished if self.finished is not self.round else other.round
        return other

    def __repr__(self) -> str:
        return f"<Game after {len(self.results)} rounds, nuggets {self.nuggets}, {self.round!r}>"
