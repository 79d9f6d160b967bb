package aurum.bot;

import aurum.v1.Play;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;

/** What stays the same throughout a game. One object a game: it may be the key of a bot's own notes. */
public final class Game {
    private final Play.GameStart message;
    private final Random random;

    /** The last answer, to be given again if its turn comes again. */
    Play.Action answer = Play.Action.getDefaultInstance();

    Game(Play.GameStart message) {
        this.message = message;
        this.random = new Random(message.getSeed());
    }

    /** An opaque number. */
    public long id() {
        return message.getGame();
    }

    /** The own seat, from 0. */
    public int seat() {
        return message.getSeat();
    }

    /** 3 or 4. */
    public int players() {
        return message.getPlayers();
    }

    /** The partner's seat; with three players there is none. */
    public OptionalInt partner() {
        return players() == 4 ? OptionalInt.of(seat() ^ 2) : OptionalInt.empty();
    }

    public Ruleset ruleset() {
        var rules = message.getRuleset();
        return new Ruleset(rules.getPreset(), rules.getGoldZeros(), GameEndRule.of(rules.getGameEndValue()));
    }

    public Clock clock() {
        var clock = message.getClock();
        return new Clock(millis(clock.getTurnMs()), millis(clock.getBankMs()), millis(clock.getIncrementMs()));
    }

    /** For chance: the same deal and seat give the same seed. It says nothing of the cards. */
    public long seed() {
        return message.getSeed();
    }

    /** This game's own generator: a bot that draws from no other plays the same again with the same seed. */
    public Random random() {
        return random;
    }

    /** By seat, if the tournament makes names known; otherwise empty. */
    public List<String> names() {
        return message.getNamesList();
    }

    /** The protocol's own message. */
    public Play.GameStart message() {
        return message;
    }

    @Override
    public String toString() {
        return "game " + id() + ", seat " + seat();
    }

    private static Duration millis(int unsigned) {
        return Duration.ofMillis(Integer.toUnsignedLong(unsigned));
    }
}
