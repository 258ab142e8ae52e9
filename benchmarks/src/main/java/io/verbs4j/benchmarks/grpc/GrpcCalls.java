/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.grpc;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.StreamObserver;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.verbs4j.benchmarks.harness.Contents;
import io.verbs4j.benchmarks.netty.NettyKind;
import io.verbs4j.benchmarks.wire.Link;
import io.verbs4j.benchmarks.wire.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * gRPC calls between two processes, with one event loop in each and gRPC's own threads for the program's code: a number
 * of concurrent unary calls, or one stream. Everything is checked at the client, since the server answers.
 */
final class GrpcCalls implements Transport {
    /** Stands for one stream of messages, instead of a number of concurrent calls. */
    static final int STREAM = 0;

    private static final int MOST_SECONDS = 120;
    private static final int LARGEST = 64 << 20;

    private final int atOnce;
    private final ByteBuffer source;
    private final byte[] request;
    private final EventLoopGroup group;
    private final Server server;
    private final ManagedChannel channel;

    GrpcCalls(Link link, boolean client, int size, NettyKind kind, int atOnce) throws IOException {
        this.atOnce = atOnce;
        source = Contents.allocate(size);
        request = new byte[size];
        group = new MultiThreadIoEventLoopGroup(1, kind.handler());
        InetAddress loopback = InetAddress.getLoopbackAddress();
        if (client) {
            server = null;
            channel = NettyChannelBuilder.forAddress(new InetSocketAddress(loopback, Integer.parseInt(link.hear())))
                    .eventLoopGroup(group)
                    .channelType(kind.client())
                    .maxInboundMessageSize(LARGEST)
                    .usePlaintext()
                    .build();
        } else {
            channel = null;
            server = NettyServerBuilder.forAddress(new InetSocketAddress(loopback, 0))
                    .bossEventLoopGroup(group)
                    .workerEventLoopGroup(group)
                    .channelType(kind.server())
                    .maxInboundMessageSize(LARGEST)
                    .addService(BytesService.definition())
                    .build()
                    .start();
            link.tell(Integer.toString(server.getPort()));
        }
    }

    @Override
    public void prepare(long seed) {
        Contents.fill(source, seed);
        source.get(0, request);
    }

    @Override
    public void send(long messages) throws IOException {
        if (atOnce == 1) {
            for (long i = 0; i < messages; i++) {
                requireSame(ClientCalls.blockingUnaryCall(channel, BytesService.ECHO, CallOptions.DEFAULT, request));
            }
            return;
        }
        CompletableFuture<Void> done = new CompletableFuture<>();
        if (atOnce == STREAM) {
            new Stream(messages, done).start();
        } else {
            AtomicLong left = new AtomicLong(messages);
            AtomicLong unanswered = new AtomicLong(messages);
            for (int i = 0; i < atOnce; i++) {
                new Chain(left, unanswered, done).next();
            }
        }
        await(done);
    }

    private void requireSame(byte[] answer) {
        int at = Arrays.mismatch(answer, request);
        if (at >= 0) {
            throw new IllegalStateException("wrong data at byte " + at + " of " + request.length);
        }
    }

    private static void await(CompletableFuture<Void> done) throws IOException {
        try {
            done.get(MOST_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    @Override
    public boolean isOneSided() {
        return true;
    }

    @Override
    public boolean isRead() {
        return true;
    }

    @Override
    public void check(long messages) {
        // each answer is checked when it arrives
    }

    @Override
    public void close() throws IOException {
        try {
            if (channel != null) {
                boolean unused = channel.shutdown().awaitTermination(MOST_SECONDS, TimeUnit.SECONDS);
            }
            if (server != null) {
                boolean unused = server.shutdown().awaitTermination(MOST_SECONDS, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        group.shutdownGracefully(0, MOST_SECONDS, TimeUnit.SECONDS).syncUninterruptibly();
    }

    /** A chain of unary calls; several chains share the remaining calls. */
    private final class Chain implements StreamObserver<byte[]> {
        private final AtomicLong left;
        private final AtomicLong unanswered;
        private final CompletableFuture<Void> done;

        Chain(AtomicLong left, AtomicLong unanswered, CompletableFuture<Void> done) {
            this.left = left;
            this.unanswered = unanswered;
            this.done = done;
        }

        void next() {
            if (left.getAndDecrement() > 0) {
                ClientCall<byte[], byte[]> call = channel.newCall(BytesService.ECHO, CallOptions.DEFAULT);
                ClientCalls.asyncUnaryCall(call, request, this);
            }
        }

        @Override
        public void onNext(byte[] answer) {
            requireSame(answer);
        }

        @Override
        public void onError(Throwable cause) {
            done.completeExceptionally(cause);
        }

        @Override
        public void onCompleted() {
            if (unanswered.decrementAndGet() == 0) {
                done.complete(null);
            } else {
                next();
            }
        }
    }

    /** One stream of messages, written whenever gRPC is ready. */
    private final class Stream implements ClientResponseObserver<byte[], byte[]> {
        private final long messages;
        private final CompletableFuture<Void> done;
        private ClientCallStreamObserver<byte[]> requests;
        private long written;

        Stream(long messages, CompletableFuture<Void> done) {
            this.messages = messages;
            this.done = done;
        }

        void start() {
            ClientCall<byte[], byte[]> call = channel.newCall(BytesService.TAKE, CallOptions.DEFAULT);
            StreamObserver<byte[]> unused = ClientCalls.asyncClientStreamingCall(call, this);
        }

        @Override
        public void beforeStart(ClientCallStreamObserver<byte[]> stream) {
            requests = stream;
            stream.setOnReadyHandler(this::write);
        }

        private void write() {
            while (written < messages && requests.isReady()) {
                requests.onNext(request);
                if (++written == messages) {
                    requests.onCompleted();
                }
            }
        }

        @Override
        public void onNext(byte[] answer) {
            if (!Arrays.equals(answer, BytesService.sum(messages, request))) {
                throw new IllegalStateException("wrong data: the received messages differ from those sent");
            }
        }

        @Override
        public void onError(Throwable cause) {
            done.completeExceptionally(cause);
        }

        @Override
        public void onCompleted() {
            done.complete(null);
        }
    }
}
