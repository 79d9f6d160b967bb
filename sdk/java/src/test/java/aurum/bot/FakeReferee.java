package aurum.bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import aurum.v1.Play;
import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A referee on a real socket. What it says on a stream, the test says, line by line. */
final class FakeReferee implements AutoCloseable {
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    private final MultiThreadIoEventLoopGroup network = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final BlockingQueue<Talk> talks = new LinkedBlockingQueue<>();
    private final Server server;
    private volatile Consumer<Talk> routine = talks::add;

    /** The address as a bot is told it. */
    final String address;

    private FakeReferee(NettyServerBuilder builder, String unix) throws IOException {
        var service = ServerServiceDefinition.builder("aurum.v1.RefereeService")
                .addMethod(Stream.PLAY, (ServerCallHandler<byte[], byte[]>) this::begin)
                .build();
        server = builder.addService(service)
                .bossEventLoopGroup(network)
                .workerEventLoopGroup(network)
                .directExecutor()
                .build()
                .start();
        address = unix == null ? "127.0.0.1:" + server.getPort() : unix;
    }

    static FakeReferee tcp() throws IOException {
        SocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return new FakeReferee(NettyServerBuilder.forAddress(anyPort).channelType(NioServerSocketChannel.class), null);
    }

    static FakeReferee unix(Path path) throws IOException {
        var builder = NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(path))
                .channelType(NioServerDomainSocketChannel.class);
        return new FakeReferee(builder, "unix:" + path);
    }

    /** Waits for the next stream, and its Hello. */
    Talk welcome() throws InterruptedException, InvalidProtocolBufferException {
        Talk talk = talks.poll(30, TimeUnit.SECONDS);
        assertNotNull(talk, "no bot came");
        talk.hello = talk.next().getHello();
        return talk;
    }

    /** Does this with every stream to come, instead of letting them wait. */
    void doWithEach(Consumer<Talk> what) {
        routine = what;
    }

    @Override
    public void close() {
        server.shutdownNow();
        network.shutdownGracefully(0, 0, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    private ServerCall.Listener<byte[]> begin(ServerCall<byte[], byte[]> call, Metadata headers) {
        var talk = new Talk(call, headers.get(AUTHORIZATION));
        call.sendHeaders(new Metadata());
        call.request(Integer.MAX_VALUE);
        routine.accept(talk);
        return talk;
    }

    /** One stream. */
    static final class Talk extends ServerCall.Listener<byte[]> {
        private final ServerCall<byte[], byte[]> call;
        private final BlockingQueue<Optional<byte[]>> heard = new LinkedBlockingQueue<>();
        final String authorization;
        Play.Hello hello;

        private Talk(ServerCall<byte[], byte[]> call, String authorization) {
            this.call = call;
            this.authorization = authorization;
        }

        void say(Play.PlayResponse message) {
            say(message.toByteArray());
        }

        void say(byte[] bytes) {
            call.sendMessage(bytes);
        }

        void end(Status status) {
            call.close(status, new Metadata());
        }

        /** Waits for what the bot says next. */
        Play.PlayRequest next() throws InterruptedException, InvalidProtocolBufferException {
            Optional<byte[]> message = heard.poll(30, TimeUnit.SECONDS);
            assertNotNull(message, "the bot says nothing");
            return Play.PlayRequest.parseFrom(message.orElseThrow());
        }

        /** Waits for the bot to say that nothing more comes, and ends the stream. */
        void part() throws InterruptedException {
            assertEquals(Optional.empty(), heard.poll(30, TimeUnit.SECONDS));
            end(Status.OK);
        }

        @Override
        public void onMessage(byte[] bytes) {
            heard.add(Optional.of(bytes));
        }

        @Override
        public void onHalfClose() {
            heard.add(Optional.empty());
        }
    }
}
