package aurum.bot;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.InvalidProtocolBufferException;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class TurnTest {
    static Stream<JsonNode> turns() {
        return Vectors.read("turns.json", "turns");
    }

    @ParameterizedTest
    @MethodSource("turns")
    void aTurnIsRead(JsonNode vector) throws InvalidProtocolBufferException {
        assertEquals(vector.get("reading"), reading(Vectors.turn(vector)));
    }

    @ParameterizedTest
    @MethodSource("turns")
    void answersAreWritten(JsonNode vector) throws InvalidProtocolBufferException, StoppedException {
        Turn turn = Vectors.turn(vector);
        for (JsonNode answer : vector.get("answers")) {
            var action = Answer.to(turn, Vectors.move(answer.get("move")));
            assertArrayEquals(Vectors.bytes(answer.get("action_wire")), action.toByteArray(), answer.toString());
        }
    }

    @ParameterizedTest
    @MethodSource("turns")
    void whatIsNoAnswerIsRefused(JsonNode vector) throws InvalidProtocolBufferException {
        Turn turn = Vectors.turn(vector);
        for (JsonNode refused : vector.get("refused")) {
            Move move = Vectors.move(refused.get("move"));
            var error = assertThrows(StoppedException.class, () -> Answer.to(turn, move), refused.toString());
            assertTrue(error.getMessage().startsWith(move + " is no legal answer to " + turn), error.getMessage());
        }
        assertThrows(StoppedException.class, () -> Answer.to(turn, null));
    }

    @ParameterizedTest
    @MethodSource("turns")
    void theClockRunsFromTheArrival(JsonNode vector) throws InvalidProtocolBufferException {
        long sent = vector.get("reading").get("time_left_ms").longValue();
        assertEquals(Duration.ofMillis(sent - 3_000), Vectors.turn(vector).timeLeft(Vectors.RECEIVED + 3_000_000_000L));
    }

    @Test
    void theSentenceSaysWhatWasLegal() throws InvalidProtocolBufferException {
        assertEquals(
                "B1 is no legal answer to turn 4 of game 3469980719646670, seat 1 (FOLLOW); legal: B5 C6 P2 P4 P10",
                refusal("follow-designer-4p", Card.B1));
    }

    private static String refusal(String name, Move move) throws InvalidProtocolBufferException {
        Turn turn = Vectors.turn(
                turns().filter(vector -> vector.get("name").stringValue().equals(name))
                        .findFirst()
                        .orElseThrow());
        return assertThrows(StoppedException.class, () -> Answer.to(turn, move)).getMessage();
    }

    /** What an author can ask a turn for, as the vectors tell it. */
    private static JsonNode reading(Turn turn) {
        ObjectNode reading = Vectors.JSON.valueToTree(turn.table());
        reading.put("game", Long.toString(turn.game().id()));
        reading.put("number", turn.number());
        reading.putPOJO("phase", turn.phase());
        reading.put("seat", turn.seat());
        reading.put("players", turn.players());
        reading.putPOJO("partner", turn.partner());
        reading.putPOJO("hand", turn.hand());
        reading.putPOJO("own_bid", turn.ownBid());
        reading.putPOJO("legal_cards", turn.legalCards());
        reading.put("may_pass", turn.mayPass());
        reading.put("time_left_ms", turn.timeLeft(Vectors.RECEIVED).toMillis());
        return Vectors.JSON.readTree(Vectors.JSON.writeValueAsString(reading));
    }
}
