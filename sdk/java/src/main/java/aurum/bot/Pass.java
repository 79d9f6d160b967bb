package aurum.bot;

/** In an exchange: decline. When following, where the turn allows it: end the round. */
public enum Pass implements Move {
    PASS;

    @Override
    public String toString() {
        return "a pass";
    }
}
