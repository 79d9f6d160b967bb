// A small bot to begin with: it plays the first legal card, and exchanges nothing.
// Build it: mvn -B -q -ntp -Dmaven.test.skip package
// Play it: arena play --bot minimal="java @jvm.options -jar minimal/target/minimal.jar" --bot other="..."

import aurum.bot.Bot;
import aurum.bot.Move;
import aurum.bot.Pass;
import aurum.bot.Phase;
import aurum.bot.Turn;

public final class Minimal implements Bot {
    public static void main(String[] args) {
        Bot.run(Minimal::new);
    }

    @Override
    public String version() {
        return "1";
    }

    @Override
    public Move choose(Turn turn) {
        if (turn.phase() == Phase.EXCHANGE || turn.legalCards().isEmpty()) {
            return Pass.PASS;
        }
        return turn.legalCards().get(0);
    }
}
