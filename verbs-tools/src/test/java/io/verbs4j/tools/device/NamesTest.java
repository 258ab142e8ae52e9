/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Gid;
import io.verbs4j.LinkLayer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamesTest {

    @ParameterizedTest
    @CsvSource({
        "fe80000000000000a4ab53fffecb9ba4, fe80::a4ab:53ff:fecb:9ba4",
        "fd000007000000000000000000000001, fd00:7::1",
        "20010db8000000010000000000000000, 2001:db8:0:1::",
        "00000000000000010002000300040005, ::1:2:3:4:5",
        "00010000000200030004000500060007, 1:0:2:3:4:5:6:7",
        "00010000000000020000000000000003, 1:0:0:2::3",
        "00010000000000020000000000030004, 1::2:0:0:3:4",
        "00010002000300040005000600070008, 1:2:3:4:5:6:7:8",
        "00000000000000000000ffff0a070001, ::ffff:10.7.0.1",
    })
    void ethernetGidIsPrintedAsAddress(String hex, String address) {
        assertThat(Names.gid(Gid.parseHex(hex), LinkLayer.ETHERNET)).isEqualTo(address);
    }

    @Test
    void infiniBandGidIsPrintedInFull() {
        assertThat(Names.gid(Gid.parseHex("fd000007000000000000000000000001"), LinkLayer.INFINIBAND))
                .isEqualTo("fd00:0007:0000:0000:0000:0000:0000:0001");
    }

    @Test
    void capabilitiesOfLaterLevelsHaveNames() {
        assertThat(Names.capabilities(0x01220002 | 1 << 31))
                .containsExactly(
                        "BAD_PKEY_CNTR",
                        "MEM_WINDOW",
                        "MEM_MGT_EXTENSIONS",
                        "MEM_WINDOW_TYPE_2B",
                        "Unknown flags: 0x80000000");
        assertThat(Names.capabilities(0)).isEmpty();
    }
}
