/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The server's side of a connection writes before both sides know of each other: an accepted socket takes that. */
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

    @Test
    void greetingThatIsWrittenWhenTheHandlerIsAdded() throws Exception {
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
