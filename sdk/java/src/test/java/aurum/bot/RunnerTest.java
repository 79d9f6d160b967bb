package aurum.bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class RunnerTest {
    private static final String HINT = ": bots are started by the arena (arena play --bot NAME=COMMAND ...)\n";

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @ParameterizedTest
    @ValueSource(strings = {"AURUM_ADDRESS", "AURUM_TOKEN"})
    void aBotThatIsStartedWithoutAnArenaSaysSo(String missing) {
        var environment = new HashMap<>(Map.of("AURUM_ADDRESS", "127.0.0.1:1", "AURUM_TOKEN", "secret"));
        environment.remove(missing);
        assertEquals(2, run(FirstCard::new, environment));
        assertEquals("aurum: " + missing + " is not set" + HINT, said());
    }

    @Test
    void anAddressThatIsNoneIsNoReasonToDial() {
        assertEquals(2, run(FirstCard::new, Map.of("AURUM_ADDRESS", "here", "AURUM_TOKEN", "secret")));
        assertEquals("aurum: \"here\" is no address: host:port or unix:/path is expected\n", said());
    }

    @Test
    void aBotThatCannotBeMadeSaysWhyInTheLastLine() {
        Callable<Bot> maker = () -> {
            throw new FileNotFoundException("model.bin");
        };
        assertEquals(1, run(maker, Map.of("AURUM_ADDRESS", "127.0.0.1:1", "AURUM_TOKEN", "secret")));
        String sentence = "aurum: the bot failed before its first game: java.io.FileNotFoundException: model.bin\n";
        assertTrue(said().endsWith(sentence), said());
        assertTrue(said().contains("at aurum.bot.RunnerTest."), said());
    }

    @Test
    void afterTheGoodbyeThereIsNothingToSay() throws Exception {
        try (var referee = FakeReferee.tcp()) {
            var code = start(referee, FirstCard::new);
            var talk = referee.welcome();
            assertEquals("FirstCard", talk.hello.getBot());
            talk.say(Messages.welcome(Messages.goodbye()));
            talk.part();
            assertEquals(0, code.get(30, TimeUnit.SECONDS));
            assertEquals("", said());
        }
    }

    @Test
    void anErrorInTheBotIsShownWithItsTrace() throws Exception {
        Bot bot = turn -> turn.legalCards().get(2);
        try (var referee = FakeReferee.tcp()) {
            var code = start(referee, () -> bot);
            referee.welcome().say(Messages.welcome(Messages.start(7), Messages.turn(7, 1)));
            assertEquals(1, code.get(30, TimeUnit.SECONDS));
            assertTrue(said().startsWith("java.lang.IndexOutOfBoundsException: "), said());
            assertTrue(said().contains("at aurum.bot.RunnerTest."), said());
            assertTrue(said().contains(".choose failed at turn 1 of game 7, seat 2 (BID): "), said());
        }
    }

    @Test
    void anIllegalAnswerIsShownWithoutATrace() throws Exception {
        Bot bot = turn -> Card.Z9;
        try (var referee = FakeReferee.tcp()) {
            var code = start(referee, () -> bot);
            referee.welcome().say(Messages.welcome(Messages.start(7), Messages.turn(7, 1)));
            assertEquals(1, code.get(30, TimeUnit.SECONDS));
            assertEquals("aurum: Z9 is no legal answer to turn 1 of game 7, seat 2 (BID); legal: B3 C4\n", said());
        }
    }

    @Test
    void aRefusalIsShown() throws Exception {
        try (var referee = FakeReferee.tcp()) {
            var code = start(referee, FirstCard::new);
            referee.welcome().end(Status.UNAUTHENTICATED.withDescription("no seat for this token"));
            assertEquals(1, code.get(30, TimeUnit.SECONDS));
            assertEquals("aurum: the referee refused: no seat for this token\n", said());
        }
    }

    /** The organiser's Ctrl-C reaches every bot, and is no news to its author. */
    @ParameterizedTest
    @CsvSource({"INT, 130", "TERM, 143"})
    @DisabledOnOs(OS.WINDOWS)
    void aSignalEndsTheProcessWithoutAWord(String signal, int expected, @TempDir Path folder) throws Exception {
        try (var referee = FakeReferee.unix(folder.resolve("referee"))) {
            var java = ProcessHandle.current().info().command().orElseThrow();
            var builder =
                    new ProcessBuilder(java, "-cp", System.getProperty("java.class.path"), FirstCard.class.getName());
            builder.environment().putAll(Map.of("AURUM_ADDRESS", referee.address, "AURUM_TOKEN", "secret"));
            Process bot = builder.redirectErrorStream(true).start();
            var talk = referee.welcome();
            talk.say(Messages.welcome(Messages.start(7), Messages.turn(7, 1)));
            talk.next();
            new ProcessBuilder("kill", "-" + signal, Long.toString(bot.pid())).start();
            assertEquals("", new String(bot.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
            assertEquals(expected, bot.waitFor());
        }
    }

    private CompletableFuture<Integer> start(FakeReferee referee, Callable<Bot> maker) {
        var environment = Map.of("AURUM_ADDRESS", referee.address, "AURUM_TOKEN", "secret");
        return CompletableFuture.supplyAsync(() -> run(maker, environment));
    }

    private int run(Callable<Bot> maker, Map<String, String> environment) {
        return Runner.run(maker, environment, new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private String said() {
        return err.toString(StandardCharsets.UTF_8);
    }

    static final class FirstCard implements Bot {
        public static void main(String[] args) {
            Bot.run(FirstCard::new);
        }

        @Override
        public Move choose(Turn turn) {
            return turn.legalCards().get(0);
        }
    }
}
