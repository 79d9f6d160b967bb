package aurum.bot;

import java.time.Duration;

/**
 * How long a bot may think.
 *
 * @param turn for each turn
 * @param bank in all, for what the turns of a game take beyond that
 * @param increment given back to the bank after each turn
 */
public record Clock(Duration turn, Duration bank, Duration increment) {}
