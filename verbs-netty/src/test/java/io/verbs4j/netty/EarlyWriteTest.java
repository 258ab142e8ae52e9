/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.OwnThreads;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The server's side writes before the connection is confirmed, as an accepted socket allows. */
@Timeout(120)
class EarlyWriteTest {
    private static final byte[] GREETING = "hello, who are you?".getBytes(StandardCharsets.US_ASCII);

    private final BlockingQueue<ChannelFuture> writes = new LinkedBlockingQueue<>();

    @ChannelHandler.Sharable
    private final class Greeter extends ChannelInboundHandlerAdapter {
        @Override
        public void handlerAdded(ChannelHandlerContext context) {
            writes.add(context.writeAndFlush(Unpooled.wrappedBuffer(GREETING)));
        }
    }

    /** Writes and closes at once, before the connection is confirmed. */
    @ChannelHandler.Sharable
    private final class Leaver extends ChannelInboundHandlerAdapter {
        final byte[] bytes;
        int lingerSeconds = -1;

        Leaver(int length) {
            bytes = new byte[length];
            new Random(length).nextBytes(bytes);
        }

        @Override
        public void handlerAdded(ChannelHandlerContext context) {
            assertThat(context.channel().isActive()).isFalse();
            context.channel().config().setOption(ChannelOption.SO_LINGER, lingerSeconds);
            writes.add(context.writeAndFlush(Unpooled.wrappedBuffer(bytes)));
            writes.add(context.close());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100_000, 200_000})
    void dataWrittenBeforeEarlyCloseArrives(int length) throws Exception {
        try (EchoPair pair = new EchoPair()) {
            Leaver leaver = new Leaver(length);
            pair.childHandler = leaver;
            for (int i = 0; i < 20; i++) {
                VerbsSocketChannel client = pair.connect();
                assertThat(pair.received(length)).isEqualTo(leaver.bytes);
                assertThat(client.closeFuture().await(30, TimeUnit.SECONDS)).isTrue();
                for (int n = 0; n < 2; n++) {
                    ChannelFuture done = writes.poll(30, TimeUnit.SECONDS);
                    assertThat(done).isNotNull();
                    assertThat(done.sync().isSuccess()).isTrue();
                }
            }
        }
    }

    /** The time to linger starts when the peer confirms, whose event loop is busy until then. */
    @Test
    @Full
    void earlyCloseWaitsForSlowPeer() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        try (EchoPair clients = new EchoPair(1);
                EchoPair pair = new EchoPair()) {
            Leaver leaver = new Leaver(1000);
            leaver.lingerSeconds = 1;
            pair.childHandler = leaver;
            pair.server.pipeline().addFirst(new ChannelInboundHandlerAdapter() {
                @Override
                public void channelRead(ChannelHandlerContext context, Object child) throws Exception {
                    CountDownLatch blocked = new CountDownLatch(1);
                    clients.group.execute(() -> {
                        blocked.countDown();
                        boolean unused = await(go);
                    });
                    assertThat(await(blocked)).isTrue();
                    super.channelRead(context, child);
                }
            });
            CompletableFuture<VerbsSocketChannel> client = OwnThreads.supply(() -> connect(clients, pair));
            assertThat(writes.poll(30, TimeUnit.SECONDS)).isNotNull();
            Thread.sleep(TimeUnit.SECONDS.toMillis(3L * leaver.lingerSeconds));
            go.countDown();
            assertThat(clients.received(1000)).isEqualTo(leaver.bytes);
            assertThat(client.get(30, TimeUnit.SECONDS).closeFuture().await(30, TimeUnit.SECONDS))
                    .isTrue();
        } finally {
            go.countDown();
        }
    }

    private static boolean await(CountDownLatch latch) {
        try {
            return latch.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static VerbsSocketChannel connect(EchoPair clients, EchoPair pair) {
        try {
            return clients.connectTo(pair.server);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void greetingWrittenByAddedHandlerArrives() throws Exception {
        try (EchoPair pair = new EchoPair()) {
            pair.childHandler = new Greeter();
            for (int i = 0; i < 20; i++) {
                VerbsSocketChannel client = pair.connect();
                assertThat(pair.received(GREETING.length)).isEqualTo(GREETING);
                ChannelFuture write = writes.poll(30, TimeUnit.SECONDS);
                assertThat(write).isNotNull();
                assertThat(write.sync().isSuccess()).isTrue();
                client.close().sync();
            }
        }
    }
}
