package aurum.bot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import aurum.v1.Play;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutboxTest {
    private static final Play.Action ANSWER = Messages.answer(1, 1);

    private long now;
    private final List<Integer> sent = new ArrayList<>();
    private final Outbox outbox = new Outbox(message -> sent.add(message.getActionsCount()), () -> now);

    @Test
    void quickAnswersGoTogether() {
        for (int i = 0; i < 100; i++) {
            outbox.accept(ANSWER);
        }
        assertEquals(List.of(), sent);
        outbox.flush();
        assertEquals(List.of(100), sent);
    }

    @Test
    void whatIsReadyDoesNotWaitForMoreThanTwoMilliseconds() {
        outbox.accept(ANSWER);
        now += 2_000_000;
        outbox.accept(ANSWER);
        assertEquals(List.of(), sent);
        now += 1;
        outbox.accept(ANSWER);
        assertEquals(List.of(3), sent);
    }

    @Test
    void theTimeCountsFromTheLastWrite() {
        now += 5_000_000;
        outbox.accept(ANSWER);
        now += 2_000_000;
        outbox.accept(ANSWER);
        assertEquals(List.of(1), sent);
        outbox.flush();
        assertEquals(List.of(1, 1), sent);
    }

    @Test
    void aMessageHoldsAThousandAnswers() {
        for (int i = 0; i < 2_001; i++) {
            outbox.accept(ANSWER);
        }
        outbox.flush();
        assertEquals(List.of(1_000, 1_000, 1), sent);
    }

    @Test
    void withoutAnAnswerNothingIsSent() {
        outbox.flush();
        assertEquals(List.of(), sent);
    }
}
