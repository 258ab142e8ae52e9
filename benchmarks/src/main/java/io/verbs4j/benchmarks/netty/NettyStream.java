/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.verbs4j.benchmarks.harness.Contents;
import io.verbs4j.benchmarks.wire.Link;
import io.verbs4j.benchmarks.wire.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** A connection between two processes, with one event loop in each. */
final class NettyStream implements Transport {
    private static final int CONNECT_SECONDS = 60;

    private final int size;
    private final EventLoopGroup group;
    private final ByteBufAllocator allocator;
    private final Desk desk = new Desk();
    private final Channel channel;
    private final ByteBuffer source;
    private final ByteBuffer target;
    private ByteBuf message;

    NettyStream(Link link, boolean client, int size, NettyKind kind) throws Exception {
        this.size = size;
        source = Contents.allocate(size);
        target = Contents.allocate(size);
        group = new MultiThreadIoEventLoopGroup(1, kind.handler());
        allocator = kind.allocator().get();
        InetAddress loopback = InetAddress.getLoopbackAddress();
        if (client) {
            channel = new Bootstrap()
                    .group(group)
                    .channel(kind.client())
                    .option(ChannelOption.TCP_NODELAY, true)
                    .option(ChannelOption.ALLOCATOR, allocator)
                    .handler(desk)
                    .connect(new InetSocketAddress(loopback, Integer.parseInt(link.hear())))
                    .sync()
                    .channel();
        } else {
            Channel server = new ServerBootstrap()
                    .group(group)
                    .channel(kind.server())
                    .childOption(ChannelOption.TCP_NODELAY, true)
                    .childOption(ChannelOption.ALLOCATOR, allocator)
                    .childHandler(desk)
                    .bind(new InetSocketAddress(loopback, 0))
                    .sync()
                    .channel();
            SocketAddress address = server.localAddress();
            link.tell(Integer.toString(((InetSocketAddress) address).getPort()));
            channel = desk.active().get(CONNECT_SECONDS, TimeUnit.SECONDS).channel();
        }
        link.exchange("connected");
    }

    @Override
    public void prepare(long seed) {
        Contents.fill(source, seed);
        Contents.clear(target);
        if (message != null) {
            message.release();
        }
        message = allocator.directBuffer(size).writeBytes(source.duplicate().clear());
    }

    @Override
    public void send(long messages) throws IOException {
        perform(new StreamTask(size, messages, target, message));
    }

    @Override
    public void receive(long messages) throws IOException {
        perform(new DrainTask(size, messages, target));
    }

    @Override
    public void ping(long messages, Histogram roundTrips) throws IOException {
        perform(new PingTask(size, messages, target, message, roundTrips));
    }

    @Override
    public void pong(long messages) throws IOException {
        perform(new EchoTask(size, messages, target));
    }

    private void perform(Task task) throws IOException {
        channel.eventLoop().execute(() -> desk.begin(task));
        task.await();
    }

    @Override
    public void check(long messages) {
        Contents.check(target, source);
    }

    @Override
    public void close() {
        if (message != null) {
            message.release();
        }
        channel.close().syncUninterruptibly();
        group.shutdownGracefully(0, CONNECT_SECONDS, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
