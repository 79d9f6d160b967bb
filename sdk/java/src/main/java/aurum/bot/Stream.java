package aurum.bot;

import aurum.v1.Play;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * One stream to the referee, on a connection of its own.
 *
 * <p>The network has its own thread, which answers pings while the bot thinks. What it hears waits in a queue.
 */
final class Stream implements AutoCloseable {
    /** What the referee has said, and when it arrived, as {@link System#nanoTime} tells it. */
    record Message(byte[] bytes, long received) {}

    private static final EventLoopGroup NETWORK = new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("aurum-network", true), NioIoHandler.newFactory());
    static final MethodDescriptor<byte[], byte[]> PLAY = MethodDescriptor.newBuilder(new Bytes(), new Bytes())
            .setType(MethodType.BIDI_STREAMING)
            .setFullMethodName("aurum.v1.RefereeService/Play")
            .build();
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    /** Held here, since loggers that nobody holds are forgotten. */
    private static final Logger NOTES = Logger.getLogger("io.grpc");

    static {
        // Among the author's own lines, the library would warn that Unix-domain sockets lack an option.
        NOTES.setLevel(Level.SEVERE);
    }

    /** In order; an empty place stands for the end. */
    private final BlockingQueue<Optional<Message>> heard = new LinkedBlockingQueue<>();

    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile Status status;
    private volatile boolean givenUp;
    private volatile boolean open;
    private volatile long opened;

    private final ManagedChannel channel;
    private final ClientCall<byte[], byte[]> call;

    /** Begins to connect, for which there is so much time, and says Hello. */
    Stream(Address address, String token, Play.PlayRequest hello, Duration patience) {
        channel = address.channel()
                .eventLoopGroup(NETWORK)
                .directExecutor()
                .usePlaintext()
                .proxyDetector(target -> null)
                .disableServiceConfigLookUp()
                .disableRetry()
                .keepAliveTime(10, TimeUnit.SECONDS)
                .keepAliveTimeout(5, TimeUnit.SECONDS)
                .maxInboundMessageSize(4 * 1024 * 1024)
                .build();
        call = channel.newCall(PLAY, CallOptions.DEFAULT);
        Metadata headers = new Metadata();
        headers.put(AUTHORIZATION, "Bearer " + token);
        call.start(new Listener(), headers);
        // Nothing has to be held back: all that comes is for open turns.
        call.request(Integer.MAX_VALUE);
        write(hello);
        NETWORK.schedule(this::giveUpUnlessOpen, patience.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Waits for the next message; empty at the end of the stream. */
    Optional<Message> next() throws InterruptedException {
        return heard.take();
    }

    /** Sends a message. If the stream is over, {@link #next} says so, after all that was said before. */
    void write(Play.PlayRequest message) {
        call.sendMessage(message.toByteArray());
    }

    /** Says that nothing more comes, and waits for the referee to end the stream, but no longer than that. */
    void leave(Duration patience) throws InterruptedException {
        call.halfClose();
        ended.await(patience.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Whether it has ended because it was not connected in time. */
    boolean givenUp() {
        return givenUp;
    }

    /** How it has ended. */
    Status status() {
        return status;
    }

    /** How long ago it was connected; zero if it never was. */
    Duration age() {
        return open ? Duration.ofNanos(System.nanoTime() - opened) : Duration.ZERO;
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }

    private void giveUpUnlessOpen() {
        if (!open) {
            givenUp = true;
            call.cancel("no answer", null);
        }
    }

    /** Called by the network's thread. */
    private final class Listener extends ClientCall.Listener<byte[]> {
        @Override
        public void onReady() {
            if (!open) {
                opened = System.nanoTime();
                open = true;
            }
        }

        @Override
        public void onMessage(byte[] bytes) {
            heard.add(Optional.of(new Message(bytes, System.nanoTime())));
        }

        @Override
        public void onClose(Status ending, Metadata trailers) {
            status = ending;
            ended.countDown();
            heard.add(Optional.empty());
        }
    }

    /** Messages as they are: what they mean is the session's to say, also if they mean nothing. */
    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] bytes) {
            return new ByteArrayInputStream(bytes);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException error) {
                throw new UncheckedIOException(error);
            }
        }
    }
}
