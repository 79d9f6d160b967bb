package aurum.bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import aurum.v1.Play;
import io.grpc.Status;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

/** On real sockets. */
@Timeout(60)
class ConversationTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final AtomicInteger asked = new AtomicInteger();
    private final Bot firstCard = turn -> {
        asked.incrementAndGet();
        return turn.legalCards().get(0);
    };

    @Test
    void theMethodIsTheProtocolsOwn() {
        String service =
                Play.getDescriptor().findServiceByName("RefereeService").getFullName();
        assertEquals(service + "/Play", Stream.PLAY.getFullMethodName());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aBotPlaysUntilTheGoodbye(boolean unix, @TempDir Path folder) throws Exception {
        try (var referee = unix ? FakeReferee.unix(folder.resolve("referee")) : FakeReferee.tcp()) {
            var bot = hold(referee, firstCard);
            var talk = referee.welcome();
            assertEquals("Bearer secret", talk.authorization);
            assertEquals(1, talk.hello.getProtocolVersion());
            talk.say(Messages.welcome());
            talk.say(Messages.updates(Messages.start(7), Messages.turn(7, 1)));
            assertEquals(Messages.answers(Messages.answer(7, 1)), talk.next());
            talk.say(Messages.updates(Messages.turn(7, 2), Messages.goodbye()));
            assertEquals(Messages.answers(Messages.answer(7, 2)), talk.next());
            assertFalse(bot.isDone());
            talk.part();
            bot.get(30, TimeUnit.SECONDS);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"OK", "UNAVAILABLE", "CANCELLED", "UNKNOWN", "INTERNAL", "ABORTED", "RESOURCE_EXHAUSTED"})
    void aLostStreamIsTakenUpAgain(Status.Code how) throws Exception {
        try (var referee = FakeReferee.tcp()) {
            var bot = hold(referee, firstCard);
            var talk = referee.welcome();
            talk.say(Messages.welcome(Messages.start(7), Messages.turn(7, 1)));
            var answer = talk.next();
            talk.end(how.toStatus());
            talk = referee.welcome();
            assertEquals("Bearer secret", talk.authorization);
            talk.say(Messages.welcome(Messages.start(7), Messages.turn(7, 1)));
            assertEquals(answer, talk.next());
            assertEquals(1, asked.get());
            talk.say(Messages.updates(Messages.goodbye()));
            talk.part();
            bot.get(30, TimeUnit.SECONDS);
        }
    }

    @Test
    void aRefereeThatComesBackIsFoundAgain(@TempDir Path folder) throws Exception {
        Path socket = folder.resolve("referee");
        CompletableFuture<Void> bot;
        try (var referee = FakeReferee.unix(socket)) {
            bot = hold(referee, firstCard);
            referee.welcome().say(Messages.welcome(Messages.start(7)));
        }
        Files.deleteIfExists(socket);
        try (var referee = FakeReferee.unix(socket)) {
            var talk = referee.welcome();
            talk.say(Messages.welcome(Messages.start(7), Messages.goodbye()));
            talk.part();
            bot.get(30, TimeUnit.SECONDS);
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"OK", "UNAVAILABLE", "CANCELLED", "UNKNOWN", "INTERNAL", "ABORTED", "RESOURCE_EXHAUSTED"})
    void anyOtherEndIsARefusal(Status.Code how) throws Exception {
        try (var referee = FakeReferee.tcp()) {
            var bot = hold(referee, firstCard);
            referee.welcome().end(how.toStatus().withDescription("no seat for this token"));
            assertEquals("the referee refused: no seat for this token", stop(bot));
        }
    }

    @Test
    void aRefereeThatIsGoneForLongerThanItsGraceIsGivenUp() throws Exception {
        CompletableFuture<Void> bot;
        String address;
        try (var referee = FakeReferee.tcp()) {
            address = referee.address;
            bot = hold(referee, firstCard);
            var talk = referee.welcome();
            talk.say(Messages.welcome(250, Messages.start(7), Messages.turn(7, 1)));
            talk.next();
        }
        String sentence = stop(bot);
        assertTrue(
                sentence.startsWith("no referee at " + address + " within 0.25 s: the stream ended with UNAVAILABLE"),
                sentence);
    }

    @Test
    void aRefereeThatWelcomesAndLeavesIsGivenUp() throws Exception {
        try (var referee = FakeReferee.tcp()) {
            referee.doWithEach(talk -> {
                talk.say(Messages.welcome(250));
                talk.end(Status.OK);
            });
            var bot = hold(referee, firstCard);
            assertEquals("no referee at " + referee.address + " within 0.25 s: the stream ended with OK", stop(bot));
        }
    }

    @Test
    void aRefereeThatIsNotThereIsGivenUp() throws Exception {
        String address;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            address = "127.0.0.1:" + socket.getLocalPort();
        }
        String sentence = stop(hold(address, firstCard, Duration.ofSeconds(1)));
        assertTrue(sentence.startsWith("no referee at " + address + " within 1 s: "), sentence);
        assertTrue(sentence.contains("Connection refused"), sentence);
    }

    @Test
    void aSocketThatSaysNothingIsNoReferee() throws Exception {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + socket.getLocalPort();
            assertEquals(
                    "no referee at " + address + " within 0.3 s: no answer",
                    stop(hold(address, firstCard, Duration.ofMillis(300))));
        }
    }

    @Test
    void whatIsReadyIsSentBeforeALongThought() throws Exception {
        var arrived = new CountDownLatch(1);
        Bot slow = turn -> {
            if (turn.number() == 1) {
                long begun = System.nanoTime();
                while (System.nanoTime() - begun < 3_000_000) {
                    Thread.onSpinWait();
                }
            } else {
                assertTrue(arrived.await(30, TimeUnit.SECONDS), "the first answer was not sent");
            }
            return turn.legalCards().get(0);
        };
        try (var referee = FakeReferee.tcp()) {
            var bot = hold(referee, slow);
            var talk = referee.welcome();
            talk.say(Messages.welcome(Messages.start(7), Messages.turn(7, 1), Messages.turn(7, 2), Messages.goodbye()));
            assertEquals(Messages.answers(Messages.answer(7, 1)), talk.next());
            arrived.countDown();
            assertEquals(Messages.answers(Messages.answer(7, 2)), talk.next());
            talk.part();
            bot.get(30, TimeUnit.SECONDS);
        }
    }

    @Test
    void whatIsNoMessageEndsTheBot() throws Exception {
        try (var referee = FakeReferee.tcp()) {
            var bot = hold(referee, firstCard);
            referee.welcome().say(new byte[] {-1, -1});
            String sentence = stop(bot);
            assertTrue(sentence.startsWith("the referee sent bytes that are no PlayResponse: "), sentence);
        }
    }

    private static CompletableFuture<Void> hold(FakeReferee referee, Bot bot) {
        return hold(referee.address, bot, LONG);
    }

    private static CompletableFuture<Void> hold(String address, Bot bot, Duration patience) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        new Conversation(new Session(bot), Address.parse(address), "secret", patience).hold();
                    } catch (Exception error) {
                        throw new CompletionException(error);
                    }
                },
                runnable -> new Thread(runnable, "bot").start());
    }

    private static String stop(CompletableFuture<Void> bot) {
        var error = assertThrows(ExecutionException.class, () -> bot.get(30, TimeUnit.SECONDS));
        return ((StoppedException) error.getCause()).getMessage();
    }
}
