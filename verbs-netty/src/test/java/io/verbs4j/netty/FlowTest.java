/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A peer that does not read blocks its sender, and nobody else. */
@SuppressWarnings("FutureReturnValueIgnored") // of writes whose effect is what is tested
@Timeout(60)
class FlowTest {
    private static final int LENGTH = 16 << 20;
    private static final int WINDOW = (16 + 16) * 64 * 1024;

    @Test
    void peerThatDoesNotReadBlocksItsSenderOnly() throws Exception {
        try (EchoPair pair = new EchoPair()) {
            AtomicLong bytes = new AtomicLong();
            CompletableFuture<ChannelHandlerContext> server = new CompletableFuture<>();
            pair.childHandler = new SimpleChannelInboundHandler<ByteBuf>() {
                @Override
                public void channelActive(ChannelHandlerContext context) {
                    context.channel().config().setAutoRead(false);
                    server.complete(context);
                }

                @Override
                protected void channelRead0(ChannelHandlerContext context, ByteBuf message) {
                    bytes.addAndGet(message.readableBytes());
                }
            };
            VerbsSocketChannel client = pair.connect();
            ChannelHandlerContext reader = server.get(10, TimeUnit.SECONDS);
            ChannelFuture written = client.writeAndFlush(Unpooled.wrappedBuffer(new byte[LENGTH]));
            assertThat(written.await(500)).isFalse();
            assertThat(client.isWritable()).isFalse();
            assertThat(client.bytesSentByCopy()).isLessThanOrEqualTo(WINDOW);

            pair.childHandler = new EchoPair.Echo();
            VerbsSocketChannel other = pair.connect();
            other.writeAndFlush(Unpooled.wrappedBuffer(new byte[1000])).sync();
            assertThat(pair.received(1000)).hasSize(1000);

            reader.channel().config().setAutoRead(true);
            assertThat(written.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(written.isSuccess()).isTrue();
            for (int i = 0; bytes.get() < LENGTH && i < 1000; i++) {
                TimeUnit.MILLISECONDS.sleep(10);
            }
            assertThat(bytes).hasValue(LENGTH);
            assertThat(client.isWritable()).isTrue();
        }
    }

    @Test
    void smallWritesShareMessages() throws Exception {
        try (EchoPair pair = new EchoPair(VerbsOptions.DEFAULT.withMessageSize(Wire.MIN_BUFFER))) {
            VerbsSocketChannel client = pair.connect();
            int writes = 20_000;
            for (int i = 0; i < writes; i++) {
                client.write(Unpooled.copyInt(i));
            }
            client.flush();
            ByteBuf received = Unpooled.wrappedBuffer(pair.received(4 * writes));
            for (int i = 0; i < writes; i++) {
                assertThat(received.readInt()).isEqualTo(i);
            }
        }
    }

    @Test
    void endsWithDifferentMessageSizesCommunicate() throws Exception {
        try (EchoPair large = new EchoPair(VerbsOptions.DEFAULT.withMessageSize(1 << 20));
                EchoPair small = new EchoPair(VerbsOptions.DEFAULT.withMessageSize(5000))) {
            VerbsSocketChannel client = small.connectTo(large.server);
            ByteBuf buffer = Unpooled.buffer(LENGTH);
            byte[] sent = EchoPair.fill(buffer, LENGTH);
            client.writeAndFlush(buffer);
            assertThat(small.received(LENGTH)).isEqualTo(sent);
        }
    }

    @Test
    void connectionsShareScarceMemory() throws Exception {
        int clients = 8;
        int length = 1 << 20;
        CountDownLatch answered = new CountDownLatch(clients);
        try (EchoPair pair =
                new EchoPair(VerbsOptions.DEFAULT.withMessageSize(16 * 1024).withMaxMemory(2 << 20))) {
            List<VerbsSocketChannel> channels = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                channels.add(pair.connect(new SimpleChannelInboundHandler<ByteBuf>() {
                    private int bytes;

                    @Override
                    protected void channelRead0(ChannelHandlerContext context, ByteBuf message) {
                        bytes += message.readableBytes();
                        if (bytes == length) {
                            answered.countDown();
                        }
                    }
                }));
            }
            channels.forEach(channel -> channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[length])));
            assertThat(answered.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void connectionBeyondMemoryIsRefused() throws Exception {
        try (EchoPair pair =
                new EchoPair(VerbsOptions.DEFAULT.withMessageSize(64 * 1024).withMaxMemory(1 << 20))) {
            List<VerbsSocketChannel> channels = new ArrayList<>();
            assertThatThrownBy(() -> {
                        while (channels.size() < 100) {
                            channels.add(pair.connect());
                        }
                    })
                    .isInstanceOf(ConnectException.class);
            assertThat(channels).isNotEmpty();
            channels.get(0)
                    .writeAndFlush(Unpooled.wrappedBuffer(new byte[1000]))
                    .sync();
            assertThat(pair.received(1000)).hasSize(1000);
        }
    }
}
