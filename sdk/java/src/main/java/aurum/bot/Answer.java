package aurum.bot;

import aurum.v1.Game.Pass;
import aurum.v1.Play;
import java.util.List;
import java.util.stream.Collectors;

/** Writes an answer, once it is sure that it answers the turn. */
final class Answer {
    private Answer() {}

    /**
     * The move as it is sent.
     *
     * @throws StoppedException it is no legal answer
     */
    static Play.Action to(Turn turn, Move move) throws StoppedException {
        if (!isLegal(turn, move)) {
            throw new StoppedException(1, move + " is no legal answer to " + turn + "; legal: " + legal(turn));
        }
        var action = Play.Action.newBuilder().setGame(turn.game().id()).setNumber(turn.number());
        if (move instanceof Card card) {
            action.setCardValue(card.value());
        } else if (move instanceof Exchange exchange) {
            action.getExchangeBuilder()
                    .setGoldValue(exchange.gold().value())
                    .setCardValue(exchange.card().value())
                    .setSeat(exchange.seat());
        } else {
            action.setPass(Pass.getDefaultInstance());
        }
        return action.build();
    }

    private static boolean isLegal(Turn turn, Move move) {
        if (move instanceof Card card) {
            return turn.phase() != Phase.EXCHANGE && turn.legalCards().contains(card);
        }
        if (move instanceof Exchange exchange) {
            return turn.phase() == Phase.EXCHANGE
                    && turn.collection().contains(exchange.gold())
                    && turn.legalCards().contains(exchange.card())
                    && seats(turn).contains(exchange.seat());
        }
        return move != null && turn.mayPass();
    }

    private static String legal(Turn turn) {
        String pass = turn.mayPass() ? "a pass" : "";
        String or = turn.mayPass() && !turn.legalCards().isEmpty() ? ", or " : "";
        String cards = names(turn.legalCards());
        if (turn.phase() == Phase.EXCHANGE) {
            String seats = seats(turn).stream().map(String::valueOf).collect(Collectors.joining(" or "));
            cards = "one of " + names(turn.collection()) + " to lay one of " + cards + " for seat " + seats;
        }
        return pass + or + cards;
    }

    private static List<Integer> seats(Turn turn) {
        return turn.partner().isPresent() ? List.of(turn.seat(), turn.partner().getAsInt()) : List.of(turn.seat());
    }

    private static String names(List<Card> cards) {
        return cards.stream().map(Card::name).collect(Collectors.joining(" "));
    }
}
