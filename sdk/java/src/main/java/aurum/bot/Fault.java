package aurum.bot;

/**
 * A fault of this bot, as it is recorded.
 *
 * @param game 0 where it concerns no one game
 * @param turn the number of the turn, 0 where it concerns none
 * @param kind like {@code illegal_move}; the number of a kind of a later protocol
 * @param detail a sentence for the author
 */
public record Fault(long game, int turn, String kind, String detail) {
    /** {@code illegal_move in game 7, turn 3: detail}. */
    @Override
    public String toString() {
        String where = game == 0 ? "" : " in game " + game + (turn == 0 ? "" : ", turn " + turn);
        return kind + where + ": " + detail;
    }
}
