package aurum.bot;

import aurum.v1.Game.Phase;
import aurum.v1.Game.SeatState;
import aurum.v1.Game.Table;
import aurum.v1.Play;

/**
 * Has one turn of a made-up game answered, from bytes to bytes.
 *
 * <p>It takes a JVM far longer to load the code of a first turn than to play a thousand more. That belongs into the
 * set-up time before the Hello, and not on the clock of a turn.
 */
final class Rehearsal {
    private Rehearsal() {}

    static void run() throws StoppedException {
        Session session =
                new Session(turn -> turn.collection().isEmpty() ? turn.hand().get(0) : Pass.PASS);
        Outbox outbox = new Outbox(Play.PlayRequest::toByteArray, System::nanoTime);
        session.hello();
        session.receive(message().toByteArray(), System.nanoTime(), outbox);
        outbox.flush();
    }

    private static Play.PlayResponse message() {
        var table = Table.newBuilder().addSeats(SeatState.getDefaultInstance());
        var turn = Play.Turn.newBuilder()
                .setNumber(1)
                .setPhase(Phase.PHASE_BID)
                .setTable(table)
                .addHandValue(Card.B1.value())
                .addLegalCardsValue(Card.B1.value());
        return Play.PlayResponse.newBuilder()
                .setWelcome(Play.Welcome.newBuilder().setProtocolVersion(Session.PROTOCOL_VERSION))
                .addUpdates(Play.Update.newBuilder().setGameStart(Play.GameStart.getDefaultInstance()))
                .addUpdates(Play.Update.newBuilder().setTurn(turn))
                .build();
    }
}
