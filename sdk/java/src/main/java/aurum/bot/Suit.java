package aurum.bot;

/** The suits, in their order. */
public enum Suit {
    BISMUTH,
    COPPER,
    PHOSPHORUS,
    SILVER,
    ZINC,
    GOLD;

    private static final Suit[] SUITS = values();

    /** As the protocol counts them, from 1. */
    public int number() {
        return ordinal() + 1;
    }

    /** What the names of its cards begin with. */
    public char letter() {
        return name().charAt(0);
    }

    static Suit of(char letter) {
        for (Suit suit : SUITS) {
            if (suit.letter() == letter) {
                return suit;
            }
        }
        throw new IllegalArgumentException("no suit begins with " + letter);
    }
}
