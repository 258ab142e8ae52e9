/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Gid;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressTest {
    /** This address as the C programs print it with sprintf. */
    private static final String GOLDEN = "0003:00004a:0b3f01:fe80000000000000025258fffe457f40";

    private static final Address ADDRESS =
            new Address(3, 0x4a, 0x0b3f01, Gid.parseHex("fe80000000000000025258fffe457f40"));

    @Test
    void textEqualsThatOfCPrograms() {
        assertThat(ADDRESS.toText()).isEqualTo(GOLDEN);
        byte[] wire = ADDRESS.toWire();
        assertThat(wire).hasSize(52).endsWith(0);
        assertThat(new String(wire, 0, 51, StandardCharsets.US_ASCII)).isEqualTo(GOLDEN);
    }

    @Test
    void writtenAddressReadsBackEqual() {
        assertThat(Address.fromWire(ADDRESS.toWire())).isEqualTo(ADDRESS);
        assertThat(Address.parse("0000:000011:FFFFFF:00000000000000000000ffff7f010203"))
                .isEqualTo(new Address(0, 0x11, 0xffffff, Gid.parseHex("00000000000000000000ffff7f010203")));
    }

    @Test
    void noQueuePairIsAllZeros() {
        assertThat(Address.NONE.toText()).isEqualTo("0000:000000:000000:00000000000000000000000000000000");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "GET / HTTP/1.1", "0003:00004a:0b3f01:fe80", "0003-00004a-0b3f01-"})
    void malformedAddressIsRefused(String text) {
        assertThatThrownBy(() -> Address.parse(text))
                .hasMessageContaining("the peer sent '" + text + "' instead of an address");
    }

    @Test
    void addressWithoutTerminatingZeroIsRefused() {
        byte[] wire = ADDRESS.toWire();
        wire[51] = 'x';
        assertThatThrownBy(() -> Address.fromWire(wire)).hasMessageContaining("instead of an address");
        byte[] noise = new byte[52];
        Arrays.fill(noise, (byte) 7);
        assertThatThrownBy(() -> Address.fromWire(noise)).hasMessageContaining(".......");
    }
}
