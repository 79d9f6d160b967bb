package aurum.bot;

import java.util.List;

/**
 * A round is over.
 *
 * @param table as it stands at the end
 * @param shownHand the whole hand of the seat that ended the round, which everyone is shown
 * @param unfinishedTrick the trick that was under way, which counts for nothing
 */
public record RoundEnd(Game game, Table table, Result result, List<Card> shownHand, List<Card> unfinishedTrick) {

    /**
     * How it was scored.
     *
     * @param tricks tricks taken, by seat
     * @param bids by side: the bid standing at the end
     * @param bidPoints by side
     * @param goldPoints by side
     * @param points by side
     * @param winners sides that got a nugget
     * @param endedBy the seat that ended the round
     */
    public record Result(
            List<Integer> tricks,
            List<Integer> bids,
            List<Integer> bidPoints,
            List<Integer> goldPoints,
            List<Integer> points,
            List<Integer> winners,
            int endedBy) {}
}
