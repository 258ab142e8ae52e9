/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import java.io.IOException;
import java.net.ConnectException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Data written before a close arrives; any other end is a reset; nothing is left over. */
@SuppressWarnings("FutureReturnValueIgnored") // of writes whose effect is what is tested
@Timeout(60)
class CloseTest {
    private static final int LENGTH = 200_000;

    @RepeatedTest(20)
    void peerReceivesAllThatWasWrittenBeforeClose() throws Exception {
        try (EchoPair pair = new EchoPair()) {
            Receiver atServer = new Receiver();
            pair.childHandler = atServer;
            VerbsSocketChannel client = pair.connect();
            client.writeAndFlush(Unpooled.wrappedBuffer(new byte[LENGTH])).addListener(ChannelFutureListener.CLOSE);
            client.closeFuture().sync();
            assertThat(atServer.end.get(10, TimeUnit.SECONDS)).isEqualTo("inactive after " + LENGTH);
        }
    }

    @Test
    void memoryOfRefusedConnectionsIsReused() throws Exception {
        try (EchoPair pair = new EchoPair(
                        VerbsOptions.DEFAULT.withMessageSize(16 * 1024).withMaxMemory(2 << 20));
                EchoPair gone = new EchoPair()) {
            gone.server.close().sync();
            for (int i = 0; i < 60; i++) {
                assertThatThrownBy(() -> pair.connectTo(gone.server)).isInstanceOf(ConnectException.class);
            }
            VerbsSocketChannel client = pair.connect();
            client.writeAndFlush(Unpooled.wrappedBuffer(new byte[100_000]));
            assertThat(pair.received(100_000)).hasSize(100_000);
        }
    }

    /** Half of the connections are dropped with unread messages. */
    @Test
    void memoryOfClosedConnectionsIsReused() throws Exception {
        try (EchoPair pair =
                new EchoPair(VerbsOptions.DEFAULT.withMessageSize(16 * 1024).withMaxMemory(2 << 20))) {
            for (int i = 0; i < 100; i++) {
                VerbsSocketChannel client = pair.connect();
                client.writeAndFlush(Unpooled.wrappedBuffer(new byte[100_000]));
                if (i % 2 == 0) {
                    assertThat(pair.received(100_000)).hasSize(100_000);
                } else {
                    client.config().setSoLinger(0);
                    client.config().setAutoRead(false);
                }
                client.close().sync();
            }
        }
    }

    @Test
    void closeWithoutLingerResetsPeer() throws Exception {
        try (EchoPair pair = new EchoPair()) {
            Receiver atServer = new Receiver();
            pair.childHandler = atServer;
            VerbsSocketChannel client = pair.connect();
            client.config().setSoLinger(0);
            client.close().sync();
            assertThat(atServer.end.get(10, TimeUnit.SECONDS)).isEqualTo("Connection reset by peer");
        }
    }

    /** This may happen before the server knows that the client is connected. */
    @RepeatedTest(5)
    void immediateCloseByServerEndsClient() throws Exception {
        try (EchoPair pair = new EchoPair()) {
            pair.childHandler = new ChannelInboundHandlerAdapter() {
                @Override
                public void handlerAdded(ChannelHandlerContext context) {
                    context.channel().eventLoop().execute(context::close); // when it is registered
                }
            };
            Receiver atClient = new Receiver();
            pair.connect(atClient);
            assertThat(atClient.end.get(10, TimeUnit.SECONDS)).isEqualTo("inactive after 0");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void onlyDataInFlightArrivesAfterCloseWithoutLinger(boolean end) throws Exception {
        try (EchoPair pair = new EchoPair()) {
            CompletableFuture<Channel> child = new CompletableFuture<>();
            Receiver atServer = new Receiver() {
                @Override
                public void handlerAdded(ChannelHandlerContext context) {
                    context.channel().config().setAutoRead(false);
                    child.complete(context.channel());
                }
            };
            pair.childHandler = atServer;
            VerbsSocketChannel client = pair.connect();
            client.config().setSoLinger(0);
            atOnce(client, () -> {
                client.writeAndFlush(Unpooled.wrappedBuffer(new byte[LENGTH]));
                if (end) {
                    client.shutdownOutput(); // it waits behind the messages
                }
            });
            child.get(10, TimeUnit.SECONDS).config().setAutoRead(true);
            assertThat(atServer.end.get(10, TimeUnit.SECONDS)).isEqualTo("Connection reset by peer");
            assertThat(atServer.bytes).isEqualTo((long) VerbsOptions.FIRST_WINDOW * VerbsOptions.DEFAULT.messageSize());
        }
    }

    @RepeatedTest(20)
    void endInFlightArrivesAfterCloseWithoutLinger() throws Exception {
        try (EchoPair pair = new EchoPair()) {
            Receiver atServer = new Receiver();
            pair.childHandler = atServer;
            VerbsSocketChannel client = pair.connect();
            client.config().setSoLinger(0);
            atOnce(client, client::shutdownOutput);
            assertThat(atServer.end.get(10, TimeUnit.SECONDS)).isEqualTo("inactive after 0");
        }
    }

    /** Closes a channel right after other calls, before the device has done any of them. */
    private static void atOnce(VerbsSocketChannel client, Runnable before) throws InterruptedException {
        client.eventLoop().execute(() -> {
            before.run();
            client.close();
        });
        client.closeFuture().sync();
    }

    @Test
    void halfClosedChannelStillReceives() throws Exception {
        try (EchoPair pair = new EchoPair()) {
            BlockingQueue<Integer> lengths = new LinkedBlockingQueue<>();
            pair.childHandler = new Receiver() {
                @Override
                public void channelInactive(ChannelHandlerContext context) {
                    end.complete("inactive");
                }

                @Override
                public void userEventTriggered(ChannelHandlerContext context, Object event) {
                    context.writeAndFlush(Unpooled.wrappedBuffer(new byte[7])).addListener(ChannelFutureListener.CLOSE);
                }
            };
            pair.halfClosure = true;
            VerbsSocketChannel client = pair.connect(new SimpleChannelInboundHandler<ByteBuf>() {
                @Override
                protected void channelRead0(ChannelHandlerContext context, ByteBuf message) {
                    lengths.add(message.readableBytes());
                }
            });
            client.shutdownOutput().sync();
            assertThat(client.isOutputShutdown()).isTrue();
            assertThat(lengths.poll(10, TimeUnit.SECONDS)).isEqualTo(7);
            assertThat(client.closeFuture().await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(client.writeAndFlush(Unpooled.EMPTY_BUFFER).await().cause())
                    .isInstanceOf(IOException.class);
            assertThat(client.shutdownInput().await().cause()).isInstanceOf(IOException.class);
        }
    }

    /** Credits for what it receives must reach the peer after its own end of the stream. */
    @Test
    void halfClosedChannelReceivesMoreThanWindow() throws Exception {
        int length = 4 * VerbsOptions.MAX_WINDOW * VerbsOptions.DEFAULT.messageSize();
        try (EchoPair pair = new EchoPair()) {
            pair.childHandler = new ChannelInboundHandlerAdapter() {
                @Override
                public void userEventTriggered(ChannelHandlerContext context, Object event) {
                    if (event == ChannelInputShutdownReadComplete.INSTANCE) {
                        context.writeAndFlush(Unpooled.wrappedBuffer(new byte[length]))
                                .addListener(ChannelFutureListener.CLOSE);
                    }
                }
            };
            pair.halfClosure = true;
            Receiver atClient = new Receiver();
            VerbsSocketChannel client = pair.connect(atClient);
            client.shutdownOutput().sync();
            assertThat(atClient.end.get(20, TimeUnit.SECONDS)).isEqualTo("inactive after " + length);
        }
    }

    @Test
    void closedGroupsLeaveNoDevicesOrThreads() throws Exception {
        for (int round = 0; round < 3; round++) {
            try (EchoPair pair = new EchoPair();
                    VerbsByteBufAllocator allocator = new VerbsByteBufAllocator(VerbsOptions.DEFAULT)) {
                VerbsSocketChannel client = pair.connect();
                ByteBuf buffer = allocator.directBuffer(LENGTH);
                EchoPair.fill(buffer, LENGTH);
                client.writeAndFlush(buffer).sync();
                pair.received(LENGTH);
            }
            // the context closes only after everything made on it is closed: queue pairs, regions, queues
            assertThat(SharedDevice.openDevices()).isZero();
        }
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith(EchoPair.THREADS)) {
                thread.join(5000); // it has reported its end
                assertThat(thread.isAlive()).as(thread.getName()).isFalse();
            }
        }
    }

    /** Counts the received bytes, and reports how the connection ended. */
    private static class Receiver extends SimpleChannelInboundHandler<ByteBuf> {
        final CompletableFuture<String> end = new CompletableFuture<>();
        long bytes;

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf message) {
            bytes += message.readableBytes();
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            end.complete("inactive after " + bytes);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            end.complete(cause.getMessage());
        }
    }
}
