// A bot that always does the least, without chance or memory: the same policy in every language.
// It bids and plays its lowest legal card, gold last; it exchanges nothing, and passes with no legal card alone.

import aurum.bot.Bot;
import aurum.bot.Card;
import aurum.bot.Move;
import aurum.bot.Pass;
import aurum.bot.Phase;
import aurum.bot.Turn;
import java.util.Collections;
import java.util.Comparator;

public final class LowestCard implements Bot {
    private static final Comparator<Card> LOW_TO_HIGH =
            Comparator.comparing(Card::isGold).thenComparing(Card::rank).thenComparing(Card::suit);

    public static void main(String[] args) {
        Bot.run(LowestCard::new);
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
        return Collections.min(turn.legalCards(), LOW_TO_HIGH);
    }
}
