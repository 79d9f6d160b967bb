package aurum.bot;

import java.util.Optional;

/** What a turn asks for. */
public enum Phase {
    /** Lay a card of the hand as the bid card. */
    BID,
    /** Before a trick: spend a gold card to replace a bid card, or pass. */
    EXCHANGE,
    /** Open the trick. */
    LEAD,
    /** Play a card to the trick; or, where the turn allows it, pass, which ends the round. */
    FOLLOW;

    private static final Phase[] PHASES = values();

    /** By the protocol's number, unless that is one of a later protocol. */
    static Optional<Phase> of(int number) {
        return number >= 1 && number <= PHASES.length ? Optional.of(PHASES[number - 1]) : Optional.empty();
    }
}
