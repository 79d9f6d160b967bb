package aurum.bot;

import java.util.List;
import java.util.Optional;

/**
 * Everything face up in a round.
 *
 * @param round from 1
 * @param firstPlayer bids first and leads the first trick
 * @param leader leads the trick under way, or the next one
 * @param toAct the seat that is asked
 * @param leftover the two cards that nobody was dealt; with three players none
 * @param supply gold that nobody has, ascending
 * @param seats by seat
 * @param trick the trick under way
 * @param tricks completed tricks, in order
 * @param exchanges bid cards that were replaced, in order
 */
public record Table(
        int round,
        int firstPlayer,
        int leader,
        int toAct,
        List<Card> leftover,
        List<Card> supply,
        List<SeatState> seats,
        Optional<Trick> trick,
        List<CompletedTrick> tricks,
        List<BidChange> exchanges) {

    /**
     * What everyone can see of one seat.
     *
     * @param collection gold, ascending
     * @param bid the bid card, once it is face up
     * @param handSize base cards in hand, the bid card not counted
     * @param nuggets of this seat's side, in this game
     * @param points of this seat's side, one number for each finished round
     */
    public record SeatState(
            List<Card> collection,
            Optional<Card> bid,
            int tricksTaken,
            int handSize,
            int nuggets,
            List<Integer> points) {}

    /**
     * A trick under way.
     *
     * @param cards the leader's first, then the next seat's, clockwise
     */
    public record Trick(int leader, List<Card> cards) {}

    /**
     * A completed trick.
     *
     * @param cards the leader's first, then the next seat's, clockwise
     * @param collector played the lowest base card; leads the next trick
     * @param collected what the collector took, if the supply had it
     */
    public record CompletedTrick(int leader, List<Card> cards, int winner, int collector, Optional<Card> collected) {}

    /**
     * A bid card that was replaced.
     *
     * @param trick the trick before which it happened, from 0
     * @param seat who spent the gold
     * @param bidSeat whose bid card it was
     * @param taken the old bid card, now in the hand of {@code seat}
     */
    public record BidChange(int trick, int seat, Card gold, int bidSeat, Card laid, Card taken) {}
}
