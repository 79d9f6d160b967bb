package aurum.bot;

import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where the referee listens. */
sealed interface Address {
    /** A channel to it, with nothing else said. */
    NettyChannelBuilder channel();

    /**
     * Reads {@code host:port} or {@code unix:/path}.
     *
     * @throws StoppedException it is neither
     */
    static Address parse(String text) throws StoppedException {
        if (text.startsWith("unix:/")) {
            return new Unix(Path.of(text.substring("unix:".length())));
        }
        Matcher tcp = Tcp.PATTERN.matcher(text);
        if (tcp.matches() && Integer.parseInt(tcp.group("port")) <= 65_535) {
            return new Tcp(tcp.group("host"), Integer.parseInt(tcp.group("port")));
        }
        throw new StoppedException(2, "\"" + text + "\" is no address: host:port or unix:/path is expected");
    }

    record Tcp(String host, int port) implements Address {
        private static final Pattern PATTERN =
                Pattern.compile("(?<host>[^\\s/:\\[\\]]+|\\[[0-9a-fA-F:.]+]):(?<port>\\d{1,5})");

        @Override
        public NettyChannelBuilder channel() {
            return NettyChannelBuilder.forAddress(host, port).channelType(NioSocketChannel.class);
        }

        @Override
        public String toString() {
            return host + ":" + port;
        }
    }

    record Unix(Path path) implements Address {
        @Override
        public NettyChannelBuilder channel() {
            // Java's own Unix-domain sockets: they need no native library, and are there on every system.
            return NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(path))
                    .channelType(NioDomainSocketChannel.class)
                    .overrideAuthority("localhost");
        }

        @Override
        public String toString() {
            return "unix:" + path;
        }
    }
}
