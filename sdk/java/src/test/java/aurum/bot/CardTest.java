package aurum.bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class CardTest {
    static Stream<JsonNode> cards() {
        return Vectors.read("cards.json", "cards");
    }

    static Stream<JsonNode> notCards() {
        return Vectors.read("cards.json", "not_cards");
    }

    @ParameterizedTest
    @MethodSource("cards")
    void aCardHasNameNumberSuitAndRank(JsonNode vector) {
        Card card = Card.parse(vector.get("name").stringValue());
        assertEquals(vector.get("name").stringValue(), card.toString());
        assertEquals(vector.get("value").intValue(), card.value());
        assertEquals(vector.get("suit").intValue(), card.suit().number());
        assertEquals(vector.get("rank").intValue(), card.rank());
        assertEquals(vector.get("gold").booleanValue(), card.isGold());
        assertEquals(Optional.of(card), Card.at(card.value()));
    }

    @Test
    void thereAreNoMore() {
        assertEquals(
                cards().map(vector -> vector.get("name").stringValue()).toList(),
                Stream.of(Card.values()).map(Card::name).toList());
    }

    @ParameterizedTest
    @MethodSource("notCards")
    void whatNamesNoCardIsRefused(JsonNode name) {
        var error = assertThrows(IllegalArgumentException.class, () -> Card.parse(name.stringValue()));
        assertEquals(
                "\"" + name.stringValue()
                        + "\" is no card: a suit B, C, P, S or Z with a rank 1 to 10, or G with 0 to 8",
                error.getMessage());
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1, 16, 27, 95, 105, Integer.MAX_VALUE})
    void whatNumbersNoCardIsRefused(int value) {
        var error = assertThrows(IllegalArgumentException.class, () -> Card.list(1, i -> value));
        assertEquals(value + " is the number of no card", error.getMessage());
    }

    @Test
    void zeroSaysThatThereIsNoCard() {
        assertEquals(Optional.empty(), Card.at(0));
    }

    @Test
    void cardsSortBySuitAndRank() {
        assertEquals(
                List.of(Card.B2, Card.B10, Card.C1, Card.Z1, Card.G0),
                Stream.of(Card.G0, Card.Z1, Card.C1, Card.B10, Card.B2).sorted().toList());
    }
}
