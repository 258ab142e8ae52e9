/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An event loop serves hundreds of connections. */
@SuppressWarnings("FutureReturnValueIgnored") // of writes whose effect is what is tested
@Timeout(120)
class ManyConnectionsTest {
    private static final int CONNECTIONS = 1000;
    private static final int LENGTH = 1000;

    @Test
    void thousandConnectionsEcho() throws Exception {
        Counter counter = new Counter();
        try (EchoPair pair = new EchoPair(VerbsOptions.DEFAULT.withMessageSize(4096))) {
            List<ChannelFuture> connecting = new ArrayList<>();
            Bootstrap bootstrap = new Bootstrap()
                    .group(pair.group)
                    .channel(VerbsSocketChannel.class)
                    .handler(counter);
            for (int i = 0; i < CONNECTIONS; i++) {
                connecting.add(bootstrap.connect(pair.server.localAddress()));
            }
            List<Channel> channels = new ArrayList<>();
            for (ChannelFuture future : connecting) {
                channels.add(future.sync().channel());
            }
            for (int round = 1; round <= 3; round++) {
                channels.forEach(channel -> channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[LENGTH])));
                long expected = (long) round * CONNECTIONS * LENGTH;
                for (int i = 0; counter.bytes.get() < expected && i < 3000; i++) {
                    TimeUnit.MILLISECONDS.sleep(10);
                }
                assertThat(counter.bytes).hasValue(expected);
            }
            assertThat(channels).allMatch(Channel::isActive);
            for (Channel channel : channels) {
                channel.close().sync();
            }
        }
    }

    @ChannelHandler.Sharable
    private static final class Counter extends SimpleChannelInboundHandler<ByteBuf> {
        private final AtomicLong bytes = new AtomicLong();

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf message) {
            bytes.addAndGet(message.readableBytes());
        }
    }
}
