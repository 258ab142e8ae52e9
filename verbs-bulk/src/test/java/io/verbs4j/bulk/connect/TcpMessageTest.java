/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Gid;
import io.verbs4j.Mtu;
import io.verbs4j.bulk.control.Hello;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The bytes of the TCP connection's messages. */
class TcpMessageTest {
    private static final QueuePairAddress ADDRESS = new QueuePairAddress(
            0x123456, 0xabcdef, Gid.of(1, 2), 0xfff0, Mtu.MTU_4096, true, 255, 16, 0x8765, 1L << 62 | 9);
    private static final Hello HELLO = new Hello(Hello.VERSION, 32, 1, 77, 1 << 20, 5, 4096, 3);

    private static ByteBuffer come(byte... bytes) {
        return ByteBuffer.allocate(TcpMessage.MAX)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(bytes);
    }

    private static byte[] bytes(TcpMessage message) {
        ByteBuffer encoded = message.encode();
        byte[] bytes = new byte[encoded.remaining()];
        encoded.get(bytes);
        return bytes;
    }

    @Test
    void requestLayoutIsFixed() {
        assertThat(HexFormat.of().formatHex(bytes(TcpMessage.of(TcpMessage.REQUEST, ADDRESS, HELLO))))
                .startsWith("56425443" + "6c00" + "01" + "01"
                        + "56341200" + "efcdab00" + "00000000000000010000000000000002"
                        + "f0ff" + "05" + "01" + "ff" + "10" + "0000" + "65870000" + "0900000000000040" + "56424c4b")
                .hasSize(2 * 108);
    }

    @Test
    void encodedMessageDecodesEqual() {
        ByteBuffer bytes = come(bytes(TcpMessage.of(TcpMessage.REPLY, ADDRESS, HELLO)));
        assertThat(TcpMessage.refusal(bytes)).isNull();
        assertThat(TcpMessage.missing(bytes)).isZero();
        TcpMessage message = TcpMessage.decode(bytes);
        assertThat(message.kind()).isEqualTo(TcpMessage.REPLY);
        assertThat(message.address()).isEqualTo(ADDRESS);
        assertThat(Hello.decode(message.helloBytes())).isEqualTo(HELLO);

        ByteBuffer reject = come(bytes(TcpMessage.reject("für nichts")));
        assertThat(TcpMessage.decode(reject).reason()).isEqualTo("für nichts");
        assertThat(bytes(TcpMessage.reject("x".repeat(1000)))).hasSize(TcpMessage.MAX);
        assertThat(TcpMessage.decode(come(bytes(TcpMessage.ready()))).kind()).isEqualTo(TcpMessage.READY);
        assertThat(TcpMessage.decode(come(bytes(TcpMessage.datagrams()))).kind())
                .isEqualTo(TcpMessage.DATAGRAMS);
    }

    /** For every part of a message, the number of missing bytes is known, first that of the header. */
    @Test
    void incompleteMessageReportsMissingBytes() {
        byte[] all = bytes(TcpMessage.of(TcpMessage.REQUEST, ADDRESS, HELLO));
        for (int count = 0; count < all.length; count++) {
            ByteBuffer part = come(Arrays.copyOf(all, count));
            assertThat(TcpMessage.refusal(part)).as("%d bytes", count).isNull();
            assertThat(TcpMessage.missing(part))
                    .as("%d bytes", count)
                    .isEqualTo((count < TcpMessage.HEADER ? TcpMessage.HEADER : all.length) - count);
        }
    }

    /** A later version appends bytes. */
    @Test
    void longerMessageOfLaterVersionIsRead() {
        byte[] later = Arrays.copyOf(bytes(TcpMessage.of(TcpMessage.REQUEST, ADDRESS, HELLO)), 132);
        later[4] = (byte) 132;
        later[7] = 2;
        ByteBuffer bytes = come(later);
        assertThat(TcpMessage.refusal(bytes)).isNull();
        assertThat(TcpMessage.missing(bytes)).isZero();
        assertThat(TcpMessage.decode(bytes).address()).isEqualTo(ADDRESS);
        assertThat(Hello.refusal(TcpMessage.decode(bytes).helloBytes())).isNull();
    }

    @Test
    void otherBytesAreRefusedWithReason() {
        assertThat(TcpMessage.refusal(come("GET / HTTP/1.1".getBytes(StandardCharsets.US_ASCII))))
                .contains("does not speak", "\"GET / HT\"");
        assertThat(TcpMessage.refusal(come((byte) 'V', (byte) 0))).contains("\"V.\"");
        byte[] request = bytes(TcpMessage.of(TcpMessage.REQUEST, ADDRESS, HELLO));
        byte[] small = request.clone();
        small[4] = 107;
        assertThat(TcpMessage.refusal(come(small))).contains("107 bytes", "108 to 512");
        byte[] large = request.clone();
        large[5] = (byte) 0xff;
        assertThat(TcpMessage.refusal(come(large))).contains("not 108 to 512");
        byte[] old = request.clone();
        old[7] = 0;
        assertThat(TcpMessage.refusal(come(old))).contains("version 0");
    }

    /** No bytes make it fail or ask for more than the buffer holds. */
    @Test
    void randomBytesAreHarmless() {
        Random random = new Random(3);
        byte[] valid = bytes(TcpMessage.of(TcpMessage.REQUEST, ADDRESS, HELLO));
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = valid.clone();
            for (int n = random.nextInt(4); n >= 0; n--) {
                bytes[random.nextInt(4, bytes.length)] = (byte) random.nextInt();
            }
            ByteBuffer come = come(bytes);
            if (TcpMessage.refusal(come) == null) {
                int missing = TcpMessage.missing(come);
                assertThat(come.position() + missing).isLessThanOrEqualTo(TcpMessage.MAX);
                if (missing == 0) {
                    assertThat(TcpMessage.decode(come)).isNotNull();
                }
            }
        }
    }
}
