package aurum.bot;

import aurum.v1.Game.BidChange;
import aurum.v1.Game.FaultKind;
import aurum.v1.Game.SeatState;
import aurum.v1.Game.Trick;
import aurum.v1.Play;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Messages of the protocol, read as what an author sees. */
final class Reading {
    private Reading() {}

    static Table table(aurum.v1.Game.Table table) {
        return new Table(
                table.getRound(),
                table.getFirstPlayer(),
                table.getLeader(),
                table.getToAct(),
                Card.list(table.getLeftoverCount(), table::getLeftoverValue),
                Card.list(table.getSupplyCount(), table::getSupplyValue),
                table.getSeatsList().stream().map(Reading::seat).toList(),
                table.hasTrick() ? Optional.of(trick(table.getTrick())) : Optional.empty(),
                table.getTricksList().stream().map(Reading::completed).toList(),
                table.getExchangesList().stream().map(Reading::exchange).toList());
    }

    static RoundEnd roundEnd(Play.RoundEnd end, Game game) {
        var result = end.getResult();
        return new RoundEnd(
                game,
                table(end.getTable()),
                new RoundEnd.Result(
                        List.copyOf(result.getTricksList()),
                        List.copyOf(result.getBidsList()),
                        List.copyOf(result.getBidPointsList()),
                        List.copyOf(result.getGoldPointsList()),
                        List.copyOf(result.getPointsList()),
                        List.copyOf(result.getWinnersList()),
                        result.getEndedBy()),
                Card.list(end.getShownHandCount(), end::getShownHandValue),
                Card.list(end.getUnfinishedTrickCount(), end::getUnfinishedTrickValue));
    }

    static GameEnd gameEnd(Play.GameEnd end, Game game) {
        var result = end.getResult();
        return new GameEnd(
                game,
                List.copyOf(result.getNuggetsList()),
                List.copyOf(result.getPointsList()),
                List.copyOf(result.getRankList()),
                List.copyOf(result.getForfeitedList()),
                List.copyOf(result.getPlacingList()));
    }

    static Fault fault(Play.Fault fault) {
        return new Fault(fault.getGame(), fault.getNumber(), kind(fault), fault.getDetail());
    }

    private static String kind(Play.Fault fault) {
        if (fault.getKind() == FaultKind.UNRECOGNIZED) {
            return Integer.toString(fault.getKindValue());
        }
        return fault.getKind().name().substring("FAULT_KIND_".length()).toLowerCase(Locale.ROOT);
    }

    private static Table.SeatState seat(SeatState seat) {
        return new Table.SeatState(
                Card.list(seat.getCollectionCount(), seat::getCollectionValue),
                Card.at(seat.getBidValue()),
                seat.getTricksTaken(),
                seat.getHandSize(),
                seat.getNuggets(),
                List.copyOf(seat.getPointsList()));
    }

    private static Table.Trick trick(Trick trick) {
        return new Table.Trick(trick.getLeader(), Card.list(trick.getCardsCount(), trick::getCardsValue));
    }

    private static Table.CompletedTrick completed(Trick trick) {
        return new Table.CompletedTrick(
                trick.getLeader(),
                Card.list(trick.getCardsCount(), trick::getCardsValue),
                trick.getWinner(),
                trick.getCollector(),
                Card.at(trick.getCollectedValue()));
    }

    private static Table.BidChange exchange(BidChange change) {
        return new Table.BidChange(
                change.getTrick(),
                change.getSeat(),
                Card.of(change.getGoldValue()),
                change.getBidSeat(),
                Card.of(change.getLaidValue()),
                Card.of(change.getTakenValue()));
    }
}
