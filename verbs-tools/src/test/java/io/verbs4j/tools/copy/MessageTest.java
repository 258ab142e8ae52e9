/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class MessageTest {
    private static final byte[] SUM = Checksums.sha256().digest();

    private static final List<Message> ALL = List.of(
            new Message.Hello(1, 2, 3),
            new Message.Welcome(-1, 8),
            new Message.Offer("path/", "n\u00e4me", Long.MAX_VALUE, -5, 0755),
            new Message.Start(7, true, "why"),
            new Message.Prefix(9, SUM),
            new Message.Go(10),
            new Message.Block(7, 1L << 40, -3, true),
            new Message.Ack(3, 4),
            new Message.End(SUM),
            new Message.Done(),
            new Message.Failed("no"),
            new Message.Abandon("given up"),
            new Message.Busy("later"),
            new Message.Bye(),
            new Message.Ping());

    private static ByteBuffer bytes(Message message) {
        ByteBuffer bytes = ByteBuffer.allocate(CopySizes.MESSAGE);
        message.write(bytes);
        return bytes.flip();
    }

    @Test
    void writtenMessageReadsBackEqual() throws Exception {
        for (Message message : ALL) {
            assertThat(Message.read(bytes(message))).isEqualTo(message);
        }
    }

    @Test
    void truncatedOverlongAndUnknownMessagesAreRefused() {
        for (Message message : ALL) {
            ByteBuffer whole = bytes(message);
            for (int length = 0; length < whole.limit(); length++) {
                assertRefused(whole.duplicate().limit(length));
            }
            assertRefused(whole.duplicate().clear().limit(whole.limit() + 1));
        }
        assertRefused(ByteBuffer.wrap(new byte[] {0}));
        assertRefused(ByteBuffer.wrap(new byte[] {16}));
        assertRefused(ByteBuffer.wrap(new byte[] {11, -1, -1}));
        assertRefused(bytes(ALL.get(0)).put(1, (byte) 0));
    }

    private static void assertRefused(ByteBuffer bytes) {
        assertThatThrownBy(() -> Message.read(bytes))
                .isInstanceOf(ConnectionLost.class)
                .hasMessageContaining("a message that this program does not understand");
    }

    @Test
    void longestMessageFits() throws Exception {
        String longest = "x".repeat(CopySizes.PATH);
        Message offer = new Message.Offer(longest, longest, 1, 2, 3);
        assertThat(Message.read(bytes(offer))).isEqualTo(offer);
        assertThat(Message.read(bytes(new Message.Failed("x".repeat(5000)))))
                .isEqualTo(new Message.Failed("x".repeat(CopySizes.TEXT)));
    }
}
