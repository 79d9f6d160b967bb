package aurum.bot;

import aurum.v1.Play;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** A decision. It holds everything that the seat may know: nothing has to be remembered from turn to turn. */
public final class Turn {
    private final Play.Turn message;
    private final Game game;
    private final Phase phase;
    private final long received;
    private final List<Card> legalCards;
    private Table table;

    /** {@code received}: when it arrived, as {@link System#nanoTime} tells it. */
    Turn(Play.Turn message, Game game, Phase phase, long received) {
        this.message = message;
        this.game = game;
        this.phase = phase;
        this.received = received;
        this.legalCards = Card.list(message.getLegalCardsCount(), message::getLegalCardsValue);
    }

    public Game game() {
        return game;
    }

    /** Counts the own turns in this game, from 1. */
    public int number() {
        return message.getNumber();
    }

    public Phase phase() {
        return phase;
    }

    /** The own seat, from 0, clockwise. */
    public int seat() {
        return game.seat();
    }

    /** 3 or 4. */
    public int players() {
        return game.players();
    }

    /** The partner's seat; with three players there is none. */
    public OptionalInt partner() {
        return game.partner();
    }

    /** The own base cards, ascending; the bid card is not among them. */
    public List<Card> hand() {
        return Card.list(message.getHandCount(), message::getHandValue);
    }

    /** The own bid card, once it is laid. */
    public Optional<Card> ownBid() {
        return Card.at(message.getOwnBidValue());
    }

    /** The own gold, ascending. */
    public List<Card> collection() {
        return table().seats().get(seat()).collection();
    }

    /** The cards that may be bid or played, gold included; in an exchange those that may be laid. */
    public List<Card> legalCards() {
        return legalCards;
    }

    /** Whether {@link Pass#PASS} is an answer. */
    public boolean mayPass() {
        return message.getMayPass();
    }

    /** Everything face up. */
    public Table table() {
        if (table == null) {
            table = Reading.table(message.getTable());
        }
        return table;
    }

    /** What is left for this decision, now; the way back to the referee counts too. Below zero if it is too late. */
    public Duration timeLeft() {
        return timeLeft(System.nanoTime());
    }

    Duration timeLeft(long now) {
        return Duration.ofMillis(Integer.toUnsignedLong(message.getTimeLeftMs()))
                .minusNanos(now - received);
    }

    /** The protocol's own message. */
    public Play.Turn message() {
        return message;
    }

    @Override
    public String toString() {
        return "turn " + number() + " of " + game + " (" + phase + ")";
    }
}
