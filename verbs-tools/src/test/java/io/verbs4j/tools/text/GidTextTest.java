/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Gid;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GidTextTest {
    /** The right column is the output of glibc's inet_ntop. */
    @ParameterizedTest
    @CsvSource({
        "00000000000000000000000000000000, ::",
        "00000000000000000000000000000001, ::1",
        "00000000000000000000ffffc0000201, ::ffff:192.0.2.1",
        "000000000000000000000000c0000201, ::192.0.2.1",
        "fe800000000000000000000000000001, fe80::1",
        "fe80000000000000025258fffe457f40, fe80::252:58ff:fe45:7f40",
        "20010db8000000010001000100010001, 2001:db8:0:1:1:1:1:1",
        "20010db8000000000001000000000001, 2001:db8::1:0:0:1",
        "20010db800010000000000000000abcd, 2001:db8:1::abcd",
        "ff020000000000000000000000000000, ff02::",
        "ffffffffffffffffffffffffffffffff, ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    })
    void textEqualsThatOfInetNtop(String hex, String text) {
        assertThat(GidText.of(Gid.parseHex(hex))).isEqualTo(text);
    }
}
