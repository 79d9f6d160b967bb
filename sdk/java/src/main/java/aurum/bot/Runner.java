package aurum.bot;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;

/** From the environment to a running bot, and from its end to an exit code. */
final class Runner {
    /** How long to wait for a referee that has never been there. */
    private static final Duration FIRST_PATIENCE = Duration.ofSeconds(10);

    private Runner() {}

    /** Plays until the referee is done with the bot; returns the exit code. */
    static int run(Callable<? extends Bot> maker, Map<String, String> environment, PrintStream err) {
        try {
            Address address = Address.parse(variable("AURUM_ADDRESS", environment));
            String token = variable("AURUM_TOKEN", environment);
            Session session = new Session(make(maker));
            Rehearsal.run();
            new Conversation(session, address, token, FIRST_PATIENCE).hold();
            return 0;
        } catch (InterruptedException interruption) {
            err.println("aurum: interrupted");
            return 1;
        } catch (StoppedException stop) {
            // The sentence comes last: of a bot that does not start, the referee shows the last line.
            if (stop.getCause() != null) {
                stop.getCause().printStackTrace(err);
            }
            err.println("aurum: " + stop.getMessage());
            return stop.exitCode();
        }
    }

    private static Bot make(Callable<? extends Bot> maker) throws StoppedException {
        try {
            return maker.call();
        } catch (Exception | Error failure) {
            throw new StoppedException(1, "the bot failed before its first game: " + failure, failure);
        }
    }

    private static String variable(String name, Map<String, String> environment) throws StoppedException {
        String value = environment.getOrDefault(name, "");
        if (value.isEmpty()) {
            throw new StoppedException(
                    2, name + " is not set: bots are started by the arena (arena play --bot NAME=COMMAND ...)");
        }
        return value;
    }
}
