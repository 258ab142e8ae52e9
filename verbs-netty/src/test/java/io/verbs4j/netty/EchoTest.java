/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes come back unchanged, in any number. */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EchoTest {
    private EchoPair pair;

    @BeforeAll
    void start() throws Exception {
        pair = new EchoPair();
    }

    @AfterAll
    void stop() {
        pair.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 64, 8192, 32 * 1024, 32 * 1024 + 1, 1 << 20, 64 << 20})
    void sentBytesComeBack(int length) throws Exception {
        VerbsSocketChannel client = pair.connect();
        ByteBuf buffer = Unpooled.buffer(length);
        byte[] sent = EchoPair.fill(buffer, length);
        ChannelFuture written = client.writeAndFlush(buffer);
        assertThat(pair.received(length)).isEqualTo(sent);
        assertThat(written.isSuccess()).isTrue();
        client.close().sync();
    }
}
