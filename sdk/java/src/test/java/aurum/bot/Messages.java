package aurum.bot;

import aurum.v1.Game.GameResult;
import aurum.v1.Game.Phase;
import aurum.v1.Game.RoundResult;
import aurum.v1.Game.SeatState;
import aurum.v1.Game.Table;
import aurum.v1.Play;
import java.util.List;

/** What a referee says, made by hand. */
final class Messages {
    private Messages() {}

    static Play.PlayResponse welcome(Play.Update... updates) {
        return message(1, List.of(updates));
    }

    /** A Welcome of a referee that waits only so long. */
    static Play.PlayResponse welcome(int graceMs, Play.Update... updates) {
        var message = welcome(updates).toBuilder();
        message.getWelcomeBuilder().setReconnectGraceMs(graceMs);
        return message.build();
    }

    static Play.PlayResponse message(int version, List<Play.Update> updates) {
        var welcome = Play.Welcome.newBuilder()
                .setProtocolVersion(version)
                .setSeat(2)
                .setPlayers(4)
                .setReconnectGraceMs(60_000);
        return Play.PlayResponse.newBuilder()
                .setWelcome(welcome)
                .addAllUpdates(updates)
                .build();
    }

    static Play.PlayResponse updates(Play.Update... updates) {
        return Play.PlayResponse.newBuilder().addAllUpdates(List.of(updates)).build();
    }

    static Play.Update start(long game) {
        return Play.Update.newBuilder()
                .setGameStart(
                        Play.GameStart.newBuilder().setGame(game).setSeat(2).setPlayers(4))
                .build();
    }

    /** A turn in which B3 and C4 can be bid. */
    static Play.Update turn(long game, int number) {
        var turn = Play.Turn.newBuilder()
                .setGame(game)
                .setNumber(number)
                .setPhase(Phase.PHASE_BID)
                .setTable(Table.newBuilder().addSeats(SeatState.getDefaultInstance()))
                .addLegalCardsValue(Card.B3.value())
                .addLegalCardsValue(Card.C4.value());
        return Play.Update.newBuilder().setTurn(turn).build();
    }

    static Play.Update roundEnd(long game, Integer... points) {
        var result = RoundResult.newBuilder().addAllPoints(List.of(points));
        return Play.Update.newBuilder()
                .setRoundEnd(Play.RoundEnd.newBuilder().setGame(game).setResult(result))
                .build();
    }

    static Play.Update gameEnd(long game, Integer... rank) {
        var result = GameResult.newBuilder().addAllRank(List.of(rank));
        return Play.Update.newBuilder()
                .setGameEnd(Play.GameEnd.newBuilder().setGame(game).setResult(result))
                .build();
    }

    static Play.Update goodbye() {
        return Play.Update.newBuilder()
                .setGoodbye(Play.Goodbye.newBuilder().setReason("done"))
                .build();
    }

    /** The answer that a bot gives that plays its first legal card. */
    static Play.Action answer(long game, int number) {
        return Play.Action.newBuilder()
                .setGame(game)
                .setNumber(number)
                .setCardValue(Card.B3.value())
                .build();
    }

    static Play.PlayRequest answers(Play.Action... actions) {
        return Play.PlayRequest.newBuilder().addAllActions(List.of(actions)).build();
    }
}
