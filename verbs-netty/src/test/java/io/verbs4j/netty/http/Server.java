/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty.http;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.verbs4j.netty.VerbsIoHandler;
import io.verbs4j.netty.VerbsServerSocketChannel;
import io.verbs4j.netty.VerbsSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A server over RDMA, with a method to connect clients. */
final class Server implements AutoCloseable {
    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(2, VerbsIoHandler.newFactory());
    private final Channel listening;

    /**
     * Starts a server.
     *
     * @param handlers adds the handlers of an accepted channel
     */
    Server(Consumer<SocketChannel> handlers) throws InterruptedException {
        listening = new ServerBootstrap()
                .group(group)
                .channel(VerbsServerSocketChannel.class)
                .childHandler(initializer(handlers))
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .sync()
                .channel();
    }

    private static ChannelInitializer<SocketChannel> initializer(Consumer<SocketChannel> handlers) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(SocketChannel channel) {
                handlers.accept(channel);
            }
        };
    }

    Channel connect(Consumer<SocketChannel> handlers) throws InterruptedException {
        return new Bootstrap()
                .group(group)
                .channel(VerbsSocketChannel.class)
                .handler(initializer(handlers))
                .connect(listening.localAddress())
                .sync()
                .channel();
    }

    @Override
    public void close() {
        listening.close().syncUninterruptibly();
        group.shutdownGracefully(0, 10, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
