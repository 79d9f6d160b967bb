package aurum.bot;

import aurum.v1.Play;
import com.google.protobuf.InvalidProtocolBufferException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/** The cases that every SDK is tested with: {@code sdk/vectors}. */
final class Vectors {
    /** Writes what the SDK has read as the vectors do. */
    static final JsonMapper JSON = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .build();

    /** When the turns of the vectors arrived. */
    static final long RECEIVED = 1_000_000_007;

    private Vectors() {}

    /** What stands in a list of a file. */
    static Stream<JsonNode> read(String file, String list) {
        Path path = Path.of("..", "vectors", file);
        return JSON.readTree(path.toFile()).required(list).valueStream();
    }

    static byte[] bytes(JsonNode base64) {
        return Base64.getDecoder().decode(base64.stringValue());
    }

    static Move move(JsonNode move) {
        if (move.has("card")) {
            return Card.parse(move.get("card").stringValue());
        }
        if (move.has("exchange")) {
            JsonNode exchange = move.get("exchange");
            return new Exchange(
                    Card.parse(exchange.get("gold").stringValue()),
                    Card.parse(exchange.get("card").stringValue()),
                    exchange.get("seat").intValue());
        }
        return Pass.PASS;
    }

    /** The turn of a case, as a bot is given it. */
    static Turn turn(JsonNode vector) throws InvalidProtocolBufferException {
        var game = new Game(Play.GameStart.parseFrom(bytes(vector.get("game_start_wire"))));
        var message = Play.Turn.parseFrom(bytes(vector.get("turn_wire")));
        return new Turn(message, game, Phase.of(message.getPhaseValue()).orElseThrow(), RECEIVED);
    }
}
