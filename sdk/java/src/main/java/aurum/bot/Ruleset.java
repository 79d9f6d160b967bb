package aurum.bot;

/**
 * The rules of a game.
 *
 * @param preset a label; the other fields count
 * @param goldZeros whether every player starts a round with a G0 in the collection
 */
public record Ruleset(String preset, boolean goldZeros, GameEndRule gameEnd) {}
