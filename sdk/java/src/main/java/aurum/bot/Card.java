package aurum.bot;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.IntUnaryOperator;

/** The cards, by suit and rank. A card is the answer to a bid, a lead or a follow. */
public enum Card implements Move {
    // spotless:off
    B1, B2, B3, B4, B5, B6, B7, B8, B9, B10,
    C1, C2, C3, C4, C5, C6, C7, C8, C9, C10,
    P1, P2, P3, P4, P5, P6, P7, P8, P9, P10,
    S1, S2, S3, S4, S5, S6, S7, S8, S9, S10,
    Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z8, Z9, Z10,
    G0, G1, G2, G3, G4, G5, G6, G7, G8;
    // spotless:on

    private static final Card[] BY_VALUE = new Card[G8.value() + 1];

    static {
        for (Card card : values()) {
            BY_VALUE[card.value()] = card;
        }
    }

    private final Suit suit = Suit.of(name().charAt(0));
    private final int rank = Integer.parseInt(name().substring(1));

    public Suit suit() {
        return suit;
    }

    /** 1 to 10, of gold 0 to 8. */
    public int rank() {
        return rank;
    }

    public boolean isGold() {
        return suit == Suit.GOLD;
    }

    /** As it is sent: the suit's number times 16, and the rank. */
    public int value() {
        return suit.number() * 16 + rank;
    }

    /**
     * Reads a card's name, like {@code B7}.
     *
     * @throws IllegalArgumentException it names no card
     */
    public static Card parse(String name) {
        for (Card card : values()) {
            if (card.name().equals(name)) {
                return card;
            }
        }
        throw new IllegalArgumentException(
                "\"" + name + "\" is no card: a suit B, C, P, S or Z with a rank 1 to 10, or G with 0 to 8");
    }

    /** Reads a place for a card, where 0 says that there is none. */
    static Optional<Card> at(int value) {
        return value == 0 ? Optional.empty() : Optional.of(of(value));
    }

    /** Reads a list of cards. */
    static List<Card> list(int size, IntUnaryOperator value) {
        List<Card> cards = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            cards.add(of(value.applyAsInt(i)));
        }
        return Collections.unmodifiableList(cards);
    }

    static Card of(int value) {
        Card card = value > 0 && value < BY_VALUE.length ? BY_VALUE[value] : null;
        if (card == null) {
            throw new IllegalArgumentException(value + " is the number of no card");
        }
        return card;
    }
}
