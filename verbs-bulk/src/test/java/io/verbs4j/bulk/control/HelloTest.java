/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class HelloTest {
    private static final Hello HELLO =
            new Hello(2, 32, 5, 0x0102030405060708L, 0x2122232425262728L, 0x31323334, 4096, 0x1112131415161718L);

    @Test
    void helloLayoutIsFixed() {
        assertThat(HexFormat.of().formatHex(HELLO.encode()))
                .isEqualTo("56424c4b" + "3800" + "0200" + "0000" + "2000" + "05000000" + "0807060504030201"
                        + "0000000000000000" + "2827262524232221" + "34333231" + "00100000" + "1817161514131211");
        assertThat(Hello.refusal(HELLO.encode())).isNull();
        assertThat(Hello.decode(HELLO.encode())).isEqualTo(HELLO);
    }

    /** Fields that an older release leaves at 0. */
    @Test
    void recoveryFieldsAreEncoded() {
        Hello recovers = HELLO.recovering(0x41424344, 0x51525354);
        assertThat(HexFormat.of().formatHex(recovers.encode()))
                .isEqualTo("56424c4b" + "3800" + "0200" + "0100" + "2000" + "05000000" + "0807060504030201" + "44434241"
                        + "54535251" + "2827262524232221" + "34333231" + "00100000" + "1817161514131211");
        assertThat(Hello.decode(recovers.encode())).isEqualTo(recovers);
        assertThat(recovers.recovers()).isTrue();
        assertThat(HELLO.recovers()).isFalse();
    }

    /** Bytes of version 1, which has no abilities and no ring. */
    @Test
    void versionOneIsUnderstood() {
        byte[] old = HexFormat.of()
                .parseHex("56424c4b" + "3800" + "0100" + "0000" + "2000" + "05000000" + "0807060504030201"
                        + "0000000000000000" + "0000000000000000" + "00000000" + "00100000" + "0000000000000000");
        assertThat(Hello.refusal(old)).isNull();
        assertThat(Hello.decode(old)).isEqualTo(new Hello(1, 32, 5, 0x0102030405060708L, 0, 0, 4096, 0));
    }

    @Test
    void longerHelloOfLaterVersionIsUnderstood() {
        byte[] later = Arrays.copyOf(new Hello(2, 64, 1, 7, 0, 0, 8192, 0).encode(), 196);
        later[4] = 100;
        later[100] = 1;
        assertThat(Hello.refusal(later)).isNull();
        assertThat(Hello.decode(later)).isEqualTo(new Hello(2, 64, 1, 7, 0, 0, 8192, 0));
    }

    @Test
    void invalidHelloIsRefusedWithReason() {
        assertThat(Hello.refusal(new byte[10])).contains("10 bytes");
        assertThat(Hello.refusal(new byte[56])).contains("not an endpoint");
        assertThat(Hello.refusal(new Hello(0, 32, 1, 7, 0, 0, 4096, 0).encode()))
                .contains("version 0");
        assertThat(Hello.refusal(new Hello(1, 7, 1, 7, 0, 0, 4096, 0).encode())).contains("7 slots");
        assertThat(Hello.refusal(new Hello(1, 8, 1, 7, 0, 0, 63, 0).encode())).contains("63 bytes");
    }
}
