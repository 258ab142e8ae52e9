/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A server that sends back what it receives, and its clients. */
final class EchoPair implements AutoCloseable {
    /** Prefix of the names of its threads. */
    static final String THREADS = "echo-pair";

    /** Handler of the server's side for connections made from now on. */
    volatile ChannelHandler childHandler = new Echo();

    /** Whether the server's side stays open after the client has shut down its output. */
    volatile boolean halfClosure;

    final EventLoopGroup group;
    final Channel server;
    private final BlockingQueue<byte[]> received = new LinkedBlockingQueue<>();
    private byte[] rest = {};

    EchoPair() throws InterruptedException {
        this(VerbsOptions.DEFAULT);
    }

    EchoPair(VerbsOptions options) throws InterruptedException {
        this(2, options);
    }

    EchoPair(int loops) throws InterruptedException {
        this(loops, VerbsOptions.DEFAULT);
    }

    private EchoPair(int loops, VerbsOptions options) throws InterruptedException {
        group = new MultiThreadIoEventLoopGroup(
                loops, new DefaultThreadFactory(THREADS), VerbsIoHandler.newFactory(options));
        server = serverBootstrap()
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .sync()
                .channel();
    }

    ServerBootstrap serverBootstrap() {
        return new ServerBootstrap()
                .group(group)
                .channel(VerbsServerSocketChannel.class)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.config().setAllowHalfClosure(halfClosure);
                        channel.pipeline().addLast(childHandler);
                    }
                });
    }

    /** Makes a client whose bytes {@link #received} returns. */
    VerbsSocketChannel connect() throws InterruptedException {
        return connectTo(server);
    }

    /** Makes a client of another pair's server. */
    VerbsSocketChannel connectTo(Channel other) throws InterruptedException {
        return connect(other, new SimpleChannelInboundHandler<ByteBuf>() {
            @Override
            protected void channelRead0(ChannelHandlerContext context, ByteBuf message) {
                byte[] bytes = new byte[message.readableBytes()];
                message.readBytes(bytes);
                received.add(bytes);
            }
        });
    }

    VerbsSocketChannel connect(ChannelHandler handler) throws InterruptedException {
        return connect(server, handler);
    }

    private VerbsSocketChannel connect(Channel other, ChannelHandler handler) throws InterruptedException {
        return (VerbsSocketChannel) new Bootstrap()
                .group(group)
                .channel(VerbsSocketChannel.class)
                .handler(handler)
                .connect(other.localAddress())
                .sync()
                .channel();
    }

    /** Returns the next received bytes. */
    byte[] received(int length) throws InterruptedException {
        byte[] bytes = new byte[length];
        int count = 0;
        while (count < length) {
            if (rest.length == 0) {
                rest = received.poll(30, TimeUnit.SECONDS);
                if (rest == null) {
                    throw new AssertionError("only " + count + " of " + length + " bytes arrived");
                }
            }
            int n = Math.min(rest.length, length - count);
            System.arraycopy(rest, 0, bytes, count, n);
            count += n;
            rest = Arrays.copyOfRange(rest, n, rest.length);
        }
        return bytes;
    }

    static byte[] fill(ByteBuf buffer, int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        buffer.writeBytes(bytes);
        return bytes;
    }

    @Override
    public void close() {
        server.close().syncUninterruptibly();
        group.shutdownGracefully(0, 10, TimeUnit.SECONDS).syncUninterruptibly();
    }

    /** Sends back what it receives. */
    @ChannelHandler.Sharable
    @SuppressWarnings("FutureReturnValueIgnored") // a failed write closes the channel
    static final class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.write(message);
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }
}
