/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.verbs4j.benchmarks.wire.Link;
import io.verbs4j.benchmarks.wire.Transport;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Many connections that are opened at the same time, each of which sends a message and waits for its echo. */
final class NettyCrowd implements Transport {
    private static final int MOST_SECONDS = 60;
    private static final int BACKLOG = 1024;
    private static final int SIZE = 64;

    private final NettyKind kind;
    private final EventLoopGroup group;
    private final InetSocketAddress address;

    /** Number of connections that have been opened and closed; used by the server. */
    private final AtomicInteger gone = new AtomicInteger();

    NettyCrowd(Link link, boolean client, NettyKind kind) throws Exception {
        this.kind = kind;
        group = new MultiThreadIoEventLoopGroup(1, kind.handler());
        InetAddress loopback = InetAddress.getLoopbackAddress();
        if (client) {
            address = new InetSocketAddress(loopback, Integer.parseInt(link.hear()));
        } else {
            Channel server = new ServerBootstrap()
                    .group(group)
                    .channel(kind.server())
                    .option(ChannelOption.SO_BACKLOG, BACKLOG)
                    .childOption(ChannelOption.TCP_NODELAY, true)
                    .childHandler(new Echo(gone))
                    .bind(new InetSocketAddress(loopback, 0))
                    .sync()
                    .channel();
            address = (InetSocketAddress) server.localAddress();
            link.tell(Integer.toString(address.getPort()));
        }
    }

    /**
     * Returns the microseconds until all connections have received their echoes, and the KiB of this end's heap for
     * each connection.
     */
    @Override
    public double[] perform(long connections) throws IOException {
        int count = (int) connections;
        double before = heap();
        Answers answers = new Answers(count);
        Bootstrap bootstrap = new Bootstrap()
                .group(group)
                .channel(kind.client())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, MOST_SECONDS * 1000)
                .handler(answers);
        List<Channel> channels = new ArrayList<>();
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            ChannelFuture future = bootstrap.connect(address);
            future.addListener((ChannelFutureListener) answers::connected);
            channels.add(future.channel());
        }
        answers.await();
        double micros = (System.nanoTime() - start) / 1e3;
        double each = (heap() - before) / 1024 / count;
        List<ChannelFuture> closing = new ArrayList<>();
        channels.forEach(channel -> closing.add(channel.close()));
        closing.forEach(ChannelFuture::syncUninterruptibly);
        return new double[] {micros, Math.max(0, each)};
    }

    private static double heap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    @Override
    public void pong(long connections) throws IOException {
        long start = System.nanoTime();
        while (gone.get() < connections) {
            if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(2 * MOST_SECONDS)) {
                throw new IOException("of " + connections + " connections, only " + gone + " were opened and closed");
            }
            try {
                TimeUnit.MILLISECONDS.sleep(1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException(e);
            }
        }
        gone.set(0);
    }

    @Override
    public void prepare(long seed) {
        // each message is checked when it arrives
    }

    @Override
    public void check(long messages) {
        // as above
    }

    @Override
    public void close() {
        group.shutdownGracefully(0, MOST_SECONDS, TimeUnit.SECONDS).syncUninterruptibly();
    }

    /** The server's handler: writes back whatever it reads. */
    @ChannelHandler.Sharable
    @SuppressWarnings("FutureReturnValueIgnored") // a failed write closes the connection
    private static final class Echo extends ChannelInboundHandlerAdapter {
        private final AtomicInteger gone;

        Echo(AtomicInteger gone) {
            this.gone = gone;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.writeAndFlush(message);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            gone.incrementAndGet();
        }
    }

    /** The client's handler: each connection writes once it is active, and is done when its message has come back. */
    @ChannelHandler.Sharable
    @SuppressWarnings("FutureReturnValueIgnored")
    private static final class Answers extends SimpleChannelInboundHandler<ByteBuf> {
        private final CountDownLatch left;
        private final CompletableFuture<Void> failure = new CompletableFuture<>();

        Answers(int count) {
            left = new CountDownLatch(count * SIZE);
        }

        void connected(ChannelFuture future) {
            if (!future.isSuccess()) {
                fail(future.cause());
            }
        }

        private void fail(Throwable cause) {
            if (failure.completeExceptionally(cause)) {
                while (left.getCount() > 0) {
                    left.countDown();
                }
            }
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            ByteBuf message = context.alloc().directBuffer(SIZE);
            for (int i = 0; i < SIZE; i++) {
                message.writeByte(i);
            }
            context.writeAndFlush(message);
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf message) {
            for (int next = message.getByte(message.readerIndex()); message.isReadable(); next++) {
                if (message.readByte() != next) {
                    throw new IllegalStateException("wrong data: a byte is not " + next);
                }
                left.countDown();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            fail(cause);
        }

        void await() throws IOException {
            try {
                if (!left.await(MOST_SECONDS, TimeUnit.SECONDS)) {
                    throw new IOException("after " + MOST_SECONDS + " s " + left.getCount() + " bytes are missing");
                }
                if (failure.isCompletedExceptionally()) {
                    throw new IOException(
                            failure.handle((nothing, cause) -> cause).join());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException(e);
            }
        }
    }
}
