/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest.wire;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.netty.channel.socket.SocketChannel;
import io.verbs4j.netty.VerbsIoHandler;
import io.verbs4j.netty.VerbsOptions;
import io.verbs4j.netty.VerbsServerSocketChannel;
import io.verbs4j.netty.VerbsSocketChannel;
import io.verbs4j.testsupport.Patience;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A server and a client on Netty's channels, in two processes. The server echoes a stream of one MiB as it arrives, and
 * sends some more bytes after its end, which is the client's half-closure. The client checks every byte.
 *
 * <pre>serve|HOST DEVICE@ADDRESS</pre>
 */
@SuppressWarnings("FutureReturnValueIgnored") // failures show at the client's end of the stream
public final class NettyWireProgram {
    private static final int LENGTH = 1 << 20;
    private static final int PART = 50_000;
    private static final int PORT = 7500;
    private static final byte[] LAST = {1, 2, 3};

    private NettyWireProgram() {}

    public static void main(String... args) throws Exception {
        String[] place = args[1].split("@", -1);
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(
                1, VerbsIoHandler.newFactory(VerbsOptions.DEFAULT.withDevice(place[0])));
        boolean serves = args[0].equals("serve");
        try (Talk talk = serves ? Talk.serve() : Talk.connect(args[0])) {
            if (serves) {
                Channel server = serve(group, new InetSocketAddress(place[1], PORT));
                talk.meet(null);
                talk.meet(null);
                server.close().sync();
            } else {
                talk.meet(null);
                int verified = ask(group, new InetSocketAddress(args[0], PORT));
                talk.meet(null);
                System.out.println("netty ok: " + verified + " bytes verified");
            }
        } finally {
            group.shutdownGracefully(0, Patience.SECONDS, TimeUnit.SECONDS).sync();
        }
    }

    private static Channel serve(EventLoopGroup group, InetSocketAddress address) throws InterruptedException {
        return new ServerBootstrap()
                .group(group)
                .channel(VerbsServerSocketChannel.class)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.config().setAllowHalfClosure(true);
                        channel.pipeline().addLast(new EchoUntilEnd());
                    }
                })
                .bind(address)
                .sync()
                .channel();
    }

    private static int ask(EventLoopGroup group, InetSocketAddress address) throws Exception {
        byte[] sent = new byte[LENGTH];
        new Random(LENGTH).nextBytes(sent);
        Collector collector = new Collector();
        SocketChannel client = (SocketChannel) new Bootstrap()
                .group(group)
                .channel(VerbsSocketChannel.class)
                .handler(collector)
                .connect(address)
                .sync()
                .channel();
        for (int at = 0; at < LENGTH; at += PART) {
            client.writeAndFlush(Unpooled.wrappedBuffer(sent, at, Math.min(PART, LENGTH - at)))
                    .sync();
        }
        client.shutdownOutput().sync();
        byte[] came = collector.all.get(Patience.SECONDS, TimeUnit.SECONDS);
        byte[] wanted = Arrays.copyOf(sent, LENGTH + LAST.length);
        System.arraycopy(LAST, 0, wanted, LENGTH, LAST.length);
        int differs = Arrays.mismatch(wanted, came);
        if (differs >= 0) {
            throw new IllegalStateException("byte " + differs + " differs; " + came.length + " have come");
        }
        return came.length;
    }

    /** Echoes the stream, and appends {@link #LAST}. */
    private static final class EchoUntilEnd extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.writeAndFlush(message);
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event == ChannelInputShutdownReadComplete.INSTANCE) {
                context.writeAndFlush(Unpooled.wrappedBuffer(LAST)).addListener(ChannelFutureListener.CLOSE);
            }
        }
    }

    /** Collects everything before the end of the stream. */
    private static final class Collector extends SimpleChannelInboundHandler<ByteBuf> {
        final CompletableFuture<byte[]> all = new CompletableFuture<>();
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf message) throws Exception {
            message.readBytes(bytes, message.readableBytes());
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            all.complete(bytes.toByteArray());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            all.completeExceptionally(cause);
        }
    }
}
