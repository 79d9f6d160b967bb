package aurum.bot;

/** When a game is over and who has won it. */
public enum GameEndRule {
    /** A rule of a later protocol. */
    UNKNOWN,
    FIRST_TO_TWO,
    BEST_OF_THREE,
    THREE_ROUNDS_TOTAL;

    static GameEndRule of(int number) {
        GameEndRule[] rules = values();
        return number > 0 && number < rules.length ? rules[number] : UNKNOWN;
    }
}
