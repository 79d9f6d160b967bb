package aurum.bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressTest {
    @Test
    void aHostAndItsPort() throws StoppedException {
        assertEquals(new Address.Tcp("127.0.0.1", 50051), Address.parse("127.0.0.1:50051"));
        assertEquals(new Address.Tcp("referee.example", 80), Address.parse("referee.example:80"));
        assertEquals(new Address.Tcp("[::1]", 65535), Address.parse("[::1]:65535"));
    }

    @Test
    void aUnixDomainSocket() throws StoppedException {
        assertEquals(new Address.Unix(Path.of("/tmp/a referee:1")), Address.parse("unix:/tmp/a referee:1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:50051", "[::1]:50051", "unix:/tmp/referee.sock"})
    void anAddressIsShownAsItWasWritten(String text) throws StoppedException {
        assertEquals(text, Address.parse(text).toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "127.0.0.1",
                ":50051",
                "host:",
                "host:http",
                "host:65536",
                "::1:50051",
                "[::1]",
                "unix:x",
                "http://host:80"
            })
    void anythingElseIsRefused(String text) {
        var stop = assertThrows(StoppedException.class, () -> Address.parse(text));
        assertEquals("\"" + text + "\" is no address: host:port or unix:/path is expected", stop.getMessage());
        assertEquals(2, stop.exitCode());
    }
}
