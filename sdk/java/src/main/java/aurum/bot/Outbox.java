package aurum.bot;

import aurum.v1.Play;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** The answers to one message: they go out together, unless the bot thinks for long. */
final class Outbox implements Consumer<Play.Action> {
    /** Since the last write; what is ready should not wait while the bot thinks on. */
    private static final long FLUSH_AFTER_NANOS = 2_000_000;

    /** In one message: under 30 KiB, of the 64 KiB that a referee takes. */
    private static final int MAX_ACTIONS = 1_000;

    private final Consumer<Play.PlayRequest> out;
    private final LongSupplier clock;
    private Play.PlayRequest.Builder ready = Play.PlayRequest.newBuilder();
    private long written;

    /** {@code clock}: nanoseconds, like {@link System#nanoTime}. */
    Outbox(Consumer<Play.PlayRequest> out, LongSupplier clock) {
        this.out = out;
        this.clock = clock;
        this.written = clock.getAsLong();
    }

    @Override
    public void accept(Play.Action answer) {
        ready.addActions(answer);
        if (ready.getActionsCount() == MAX_ACTIONS || clock.getAsLong() - written > FLUSH_AFTER_NANOS) {
            flush();
        }
    }

    /** Writes what is ready. */
    void flush() {
        if (ready.getActionsCount() > 0) {
            out.accept(ready.build());
            ready = Play.PlayRequest.newBuilder();
            written = clock.getAsLong();
        }
    }
}
