package aurum.bot;

import java.util.List;

/**
 * A game is over, and how it was scored.
 *
 * @param nuggets by side
 * @param points by side: the sum of the rounds
 * @param rank by side, as played: 1 has won, equal have shared
 * @param forfeited sides that forfeited by faults
 * @param placing by side, what is rated: the others by rank, then the forfeited ones
 */
public record GameEnd(
        Game game,
        List<Integer> nuggets,
        List<Integer> points,
        List<Integer> rank,
        List<Integer> forfeited,
        List<Integer> placing) {}
