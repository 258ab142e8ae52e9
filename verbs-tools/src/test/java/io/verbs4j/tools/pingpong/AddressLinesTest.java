/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.pingpong;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Gid;
import io.verbs4j.tools.net.Address;
import io.verbs4j.tools.traffic.Service;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class AddressLinesTest {
    private static final Address ADDRESS =
            new Address(3, 0x11, 0xabc, Gid.parseHex("00000000000000000000ffff7f010203"));

    @Test
    void linesEqualThoseOfCPrograms() {
        assertThat(AddressLines.local(ADDRESS, Service.RC))
                .isEqualTo("  local address:  LID 0x0003, QPN 0x000011, PSN 0x000abc, GID ::ffff:127.1.2.3\n");
        assertThat(AddressLines.local(ADDRESS, Service.UD))
                .isEqualTo("  local address:  LID 0x0003, QPN 0x000011, PSN 0x000abc: GID ::ffff:127.1.2.3\n");
        assertThat(AddressLines.remote(ADDRESS))
                .isEqualTo("  remote address: LID 0x0003, QPN 0x000011, PSN 0x000abc, GID ::ffff:127.1.2.3\n");
    }

    @Test
    void summaryEqualsThatOfCPrograms() {
        PingPongResult result = new PingPongResult(
                Service.RC, 4096, 1000, 8000, 900_000_000L, 125_000_000L, 1000, 4096000, false, new Histogram(3));
        assertThat(result.summary()).isEqualTo("""
                        8192000 bytes in 0.13 seconds = 524.29 Mbit/sec
                        1000 iters in 0.13 seconds = 125.00 usec/iter
                        """);
    }
}
