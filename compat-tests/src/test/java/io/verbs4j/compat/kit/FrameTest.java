/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.RxHashFields;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The kit's own frames, which tests use as a reference, are correct. */
class FrameTest {
    private static final byte[] MAC = {2, 0, 0, 0, 0, 9};
    private static final long ADDRESSES = RxHashFields.SRC_IPV4 | RxHashFields.DST_IPV4;
    private static final long ALL = ADDRESSES | RxHashFields.SRC_PORT_TCP | RxHashFields.DST_PORT_TCP;

    /** The key of the published vectors of receive-side scaling. */
    private static final byte[] KEY =
            HexFormat.of().parseHex("6d5a56da255b0ec24167253d43a38fb0d0ca2bcbae7b30b477cb2da38030f20c6a42b73bbeac01fa");

    @Test
    void hashMatchesPublishedVectors() {
        byte[] first = Frame.to(MAC)
                .tcp(1)
                .srcIp(66, 9, 149, 187)
                .dstIp(161, 142, 100, 80)
                .ports(2794, 1766)
                .bytes();
        byte[] second = Frame.to(MAC)
                .tcp(1)
                .srcIp(199, 92, 111, 2)
                .dstIp(65, 69, 140, 83)
                .ports(14230, 4739)
                .bytes();

        assertThat(Frame.hash(first, KEY, ADDRESSES)).isEqualTo(0x323e8fc2);
        assertThat(Frame.hash(first, KEY, ALL)).isEqualTo(0x51ccc178);
        assertThat(Frame.hash(second, KEY, ADDRESSES)).isEqualTo(0xd718262a);
        assertThat(Frame.hash(second, KEY, ALL)).isEqualTo(0xc626b0ea);
    }

    /** Checks a UDP frame byte by byte; another program computed its checksums. */
    @Test
    void bytesMatchStandards() {
        byte[] frame = Frame.to(MAC).data(3).ports(1, 2).bytes();

        assertThat(HexFormat.of().formatHex(frame))
                .isEqualTo("020000000009" + "020000000001" + "0800" // Ethernet
                        + "4500001f123400003d1157910a0000010a000009" // IPv4
                        + "00010002000bdbc3" // UDP
                        + "01080f");
    }

    @Test
    void vlanTagFollowsAddresses() {
        byte[] frame = Frame.to(MAC).vlan(0x6123).data(0).bytes();
        byte[] plain = Frame.to(MAC).data(0).bytes();

        assertThat(HexFormat.of().formatHex(frame, 12, 18)).isEqualTo("810061230800");
        assertThat(frame).endsWith(HexFormat.of().parseHex(HexFormat.of().formatHex(plain, 14, plain.length)));
    }

    @Test
    void anyChangedByteBehindEthernetIsFault() {
        for (Frame of :
                new Frame[] {Frame.to(MAC).data(33), Frame.to(MAC).tcp(7).data(30)}) {
            byte[] frame = of.bytes();
            assertThat(Frame.fault(frame)).isEmpty();
            assertThat(Frame.fault(Frame.damaged(frame))).contains("checksum");
            assertThat(Frame.blank(frame)).isEqualTo(of.withoutChecksums().bytes());
            for (int i = Frame.ETHERNET_BYTES; i < frame.length; i++) {
                frame[i] ^= 0x10;
                assertThat(Frame.fault(frame)).as("byte " + i).isNotEmpty();
                frame[i] ^= 0x10;
            }
        }
    }
}
