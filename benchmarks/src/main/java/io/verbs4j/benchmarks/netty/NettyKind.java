/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.netty;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.verbs4j.netty.VerbsByteBufAllocator;
import io.verbs4j.netty.VerbsIoHandler;
import io.verbs4j.netty.VerbsOptions;
import io.verbs4j.netty.VerbsServerSocketChannel;
import io.verbs4j.netty.VerbsSocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A choice of Netty transport, as a program makes it.
 *
 * @param handler factory of event loop handlers
 * @param server class of server channels
 * @param client class of client channels
 * @param allocator factory of the channels' allocator
 */
public record NettyKind(
        IoHandlerFactory handler,
        Class<? extends ServerChannel> server,
        Class<? extends Channel> client,
        Supplier<ByteBufAllocator> allocator) {
    private static final int SPIN_MICROS = 30;

    /** Returns RDMA whose event loops spin for 30 us before they sleep. */
    public static NettyKind spinning(boolean registered) {
        return verbs(SPIN_MICROS, registered);
    }

    /** Returns RDMA whose event loops sleep immediately when there is nothing to do. */
    public static NettyKind sleeping(boolean registered) {
        return verbs(0, registered);
    }

    private static NettyKind verbs(int spinMicros, boolean registered) {
        VerbsOptions options = VerbsOptions.DEFAULT.withSpin(spinMicros, TimeUnit.MICROSECONDS);
        return new NettyKind(
                VerbsIoHandler.newFactory(options),
                VerbsServerSocketChannel.class,
                VerbsSocketChannel.class,
                () -> registered ? new VerbsByteBufAllocator(options) : PooledByteBufAllocator.DEFAULT);
    }

    /** Returns TCP by Netty's epoll transport, or by its NIO transport if epoll is not available. */
    public static NettyKind tcp() {
        if (!Epoll.isAvailable()) {
            System.err.println("Netty's epoll transport can't be used here; using its NIO transport: "
                    + Epoll.unavailabilityCause());
            return new NettyKind(
                    NioIoHandler.newFactory(),
                    NioServerSocketChannel.class,
                    NioSocketChannel.class,
                    () -> PooledByteBufAllocator.DEFAULT);
        }
        return new NettyKind(
                EpollIoHandler.newFactory(),
                EpollServerSocketChannel.class,
                EpollSocketChannel.class,
                () -> PooledByteBufAllocator.DEFAULT);
    }
}
