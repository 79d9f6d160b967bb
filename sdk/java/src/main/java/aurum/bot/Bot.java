package aurum.bot;

import java.util.concurrent.Callable;

/**
 * A bot. One object plays all games of its process, often many at a time, their turns interleaved and all on one
 * thread: what belongs to one game is to be kept by its {@link Game}.
 */
public interface Bot {
    /** Answers a turn: a card, an {@link Exchange}, or {@link Pass#PASS}. */
    Move choose(Turn turn) throws Exception;

    /** As the bot calls itself; the tournament's own name for it counts. */
    default String name() {
        return getClass().getSimpleName();
    }

    /** Stands in the records. */
    default String version() {
        return "";
    }

    /** A game begins. */
    default void gameStart(Game game) throws Exception {}

    /** A round is over. */
    default void roundEnd(RoundEnd end) throws Exception {}

    /** A game is over. */
    default void gameEnd(GameEnd end) throws Exception {}

    /** The referee has recorded a fault of this bot. */
    default void fault(Fault fault) throws Exception {
        System.err.println("aurum: " + fault);
    }

    /**
     * Makes the bot, plays until the referee is done with it, and exits.
     *
     * <p>The referee's set-up clock runs until the bot is made: whatever takes long to load belongs into its
     * constructor. The arena says in the environment where the referee is: AURUM_ADDRESS ({@code host:port} or
     * {@code unix:/path}) and AURUM_TOKEN.
     *
     * <p>Exit codes: 0 after the referee's Goodbye; 1 if the bot's code failed, or the referee refused or was not
     * reached; 2 if the bot was started wrongly.
     */
    static void run(Callable<? extends Bot> bot) {
        System.exit(Runner.run(bot, System.getenv(), System.err));
    }
}
