package aurum.bot;

import io.grpc.Status;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/** Carries a session over streams: a lost connection is taken up again. */
final class Conversation {
    /** How long the referee may take to end the stream after its Goodbye: it kills the process after a second. */
    private static final Duration LEAVING = Duration.ofMillis(500);

    private static final int[] BACKOFF_MS = {50, 100, 200, 400, 500};

    /**
     * How a stream can end that is worth taking up again; RESOURCE_EXHAUSTED is what libraries make of a connection
     * that was cut as too busy.
     */
    private static final Set<Status.Code> PASSING = EnumSet.of(
            Status.Code.OK,
            Status.Code.UNAVAILABLE,
            Status.Code.CANCELLED,
            Status.Code.UNKNOWN,
            Status.Code.INTERNAL,
            Status.Code.ABORTED,
            Status.Code.RESOURCE_EXHAUSTED);

    private final Session session;
    private final Address address;
    private final String token;
    private final Duration firstPatience;

    /** {@code firstPatience}: how long to wait for a referee that has never been there. */
    Conversation(Session session, Address address, String token, Duration firstPatience) {
        this.session = session;
        this.address = address;
        this.token = token;
        this.firstPatience = firstPatience;
    }

    /**
     * Plays until the referee's Goodbye.
     *
     * @throws StoppedException the referee refused, or was not reached in time; or what the session throws
     */
    void hold() throws StoppedException, InterruptedException {
        String ending = "no answer";
        long lost = System.nanoTime();
        int failures = 0;
        while (true) {
            Duration patience = session.grace().orElse(firstPatience);
            Duration left = patience.minusNanos(System.nanoTime() - lost);
            if (left.isNegative() || left.isZero()) {
                throw new StoppedException(
                        1, "no referee at %s within %s: %s".formatted(address, seconds(patience), ending));
            }
            try (Stream stream = new Stream(address, token, session.hello(), left)) {
                boolean updated = talk(stream);
                if (session.goodbye().isPresent()) {
                    stream.leave(LEAVING);
                    return;
                }
                // A last attempt that had hardly time says less than the one before.
                if (!stream.givenUp()) {
                    ending = ending(stream.status());
                }
                // After a bare Welcome it was as good as not there, unless it stayed.
                if (updated || stream.age().compareTo(patience) > 0) {
                    lost = System.nanoTime();
                    failures = 0;
                }
            }
            Thread.sleep(BACKOFF_MS[Math.min(failures, BACKOFF_MS.length - 1)]);
            failures++;
        }
    }

    /** Answers every message until the Goodbye, or until the stream ends; returns whether there was an update. */
    private boolean talk(Stream stream) throws StoppedException, InterruptedException {
        boolean updated = false;
        for (var message = stream.next(); message.isPresent(); message = stream.next()) {
            Outbox outbox = new Outbox(stream::write, System::nanoTime);
            updated |= session.receive(message.get().bytes(), message.get().received(), outbox);
            outbox.flush();
            if (session.goodbye().isPresent()) {
                break;
            }
        }
        return updated;
    }

    /**
     * How a stream ended, in a few words.
     *
     * @throws StoppedException it ended for good
     */
    private static String ending(Status status) throws StoppedException {
        String code = status.getCode().toString();
        String said = oneLine(status.getDescription());
        if (!PASSING.contains(status.getCode())) {
            throw new StoppedException(1, "the referee refused: " + (said.isEmpty() ? code : said));
        }
        String cause = status.getCause() == null
                ? ""
                : ": " + oneLine(status.getCause().getMessage());
        return "the stream ended with " + code + (said.isEmpty() ? "" : ", " + said) + cause;
    }

    private static String oneLine(String text) {
        return Objects.requireNonNullElse(text, "").strip().replaceAll("\\s+", " ");
    }

    private static String seconds(Duration duration) {
        return BigDecimal.valueOf(duration.toMillis(), 3).stripTrailingZeros().toPlainString() + " s";
    }
}
