package aurum.bot;

/**
 * Replaces a bid card before a trick.
 *
 * @param gold a gold card of the own collection, which is spent
 * @param card the card of the own hand to lay
 * @param seat whose bid card is replaced: the own seat or the partner's
 */
public record Exchange(Card gold, Card card, int seat) implements Move {
    @Override
    public String toString() {
        return gold + " to lay " + card + " for seat " + seat;
    }
}
