package aurum.bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import aurum.v1.Play;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class SessionTest {
    static Stream<JsonNode> sessions() {
        return Vectors.read("sessions.json", "sessions");
    }

    @ParameterizedTest
    @MethodSource("sessions")
    void aSessionGoesAsWritten(JsonNode vector) {
        var bot = new FirstCard();
        var session = new Session(bot);
        String error = null;
        try {
            for (JsonNode stream : vector.get("streams")) {
                session.hello();
                for (JsonNode message : stream) {
                    List<String> sent = new ArrayList<>();
                    session.receive(Vectors.bytes(message.get("receive_wire")), 0, action -> sent.add(base64(action)));
                    assertEquals(
                            message.get("send_wire")
                                    .valueStream()
                                    .map(JsonNode::stringValue)
                                    .toList(),
                            sent);
                }
            }
        } catch (StoppedException stop) {
            error = assertInstanceOf(ProtocolException.class, stop)
                    .kind()
                    .name()
                    .toLowerCase(Locale.ROOT);
        }
        assertEquals(vector.get("error").stringValue(null), error);
        assertEquals(vector.get("goodbye").stringValue(null), session.goodbye().orElse(null));
        assertEquals(vector.get("asked").intValue(), bot.asked);
        assertEquals(
                vector.get("faults").valueStream().map(JsonNode::stringValue).toList(), bot.faults);
    }

    @Test
    void helloTellsWhoTheBotIs() {
        assertEquals(
                Play.Hello.newBuilder()
                        .setProtocolVersion(1)
                        .setBot("FirstCard")
                        .setVersion("7")
                        .setLanguage("java")
                        .setSdk("aurum-java/0.1.0")
                        .build(),
                new Session(new FirstCard()).hello().getHello());
    }

    @Test
    void anotherVersionIsNamedBesideTheOwn() {
        var welcome = Messages.message(2, List.of());
        assertEquals(
                "the referee speaks protocol version 2, this bot version 1: build it with the SDK of the referee",
                assertThrows(StoppedException.class, () -> receive(new FirstCard(), welcome))
                        .getMessage());
    }

    @Test
    void theBotIsToldWhatHappensInItsGame() throws StoppedException {
        List<String> told = new ArrayList<>();
        Bot bot = new Bot() {
            private Game game;

            @Override
            public Move choose(Turn turn) {
                assertSame(game, turn.game());
                told.add("choose " + turn.number());
                return turn.legalCards().get(0);
            }

            @Override
            public void gameStart(Game started) {
                game = started;
                told.add("start " + started.id());
            }

            @Override
            public void roundEnd(RoundEnd end) {
                assertSame(game, end.game());
                told.add("round of " + end.result().points());
            }

            @Override
            public void gameEnd(GameEnd end) {
                assertSame(game, end.game());
                told.add("end with " + end.rank());
            }
        };
        receive(
                bot,
                Messages.welcome(
                        Messages.start(7),
                        Messages.start(7),
                        Messages.turn(7, 1),
                        Messages.roundEnd(7, 3, 4),
                        Messages.gameEnd(7, 2, 1)));
        assertEquals(List.of("start 7", "choose 1", "round of [3, 4]", "end with [2, 1]"), told);
    }

    @Test
    void anErrorOfTheBotNamesTheTurnAndIsKept() {
        var failure = new IllegalStateException("no idea");
        var stop = assertThrows(
                StoppedException.class,
                () -> receive(
                        turn -> {
                            throw failure;
                        },
                        Messages.welcome(Messages.start(7), Messages.turn(7, 3))));
        assertEquals(
                ".choose failed at turn 3 of game 7, seat 2 (BID): java.lang.IllegalStateException: no idea",
                stop.getMessage().substring(stop.getMessage().indexOf(".choose")));
        assertSame(failure, stop.getCause());
        assertEquals(1, stop.exitCode());
    }

    @Test
    void aFaultIsASentence() {
        assertEquals("illegal_move in game 7, turn 3: no", new Fault(7, 3, "illegal_move", "no").toString());
        assertEquals("disconnected in game 7: no", new Fault(7, 0, "disconnected", "no").toString());
        assertEquals("99: no", new Fault(0, 0, "99", "no").toString());
    }

    private static void receive(Bot bot, Play.PlayResponse message) throws StoppedException {
        new Session(bot).receive(message.toByteArray(), 0, action -> {});
    }

    private static String base64(Play.Action action) {
        return Base64.getEncoder().encodeToString(action.toByteArray());
    }

    /** The bot of the vectors. */
    private static final class FirstCard implements Bot {
        private int asked;
        private final List<String> faults = new ArrayList<>();

        @Override
        public String version() {
            return "7";
        }

        @Override
        public Move choose(Turn turn) {
            asked++;
            boolean pass = turn.phase() == Phase.EXCHANGE || turn.legalCards().isEmpty();
            return pass ? Pass.PASS : turn.legalCards().get(0);
        }

        @Override
        public void fault(Fault fault) {
            faults.add(fault.kind());
        }
    }
}
