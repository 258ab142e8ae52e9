/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.port;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Gid;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PortAddressesTest {
    private static final int PIDS = 1 << 22;

    @Test
    void firstAddressContainsProcessId() {
        assertThat(PortAddresses.loopback(1, 0)).hasToString("::ffff:127.64.0.1");
        assertThat(PortAddresses.loopback(PIDS - 1, 0)).hasToString("::ffff:127.127.255.255");
    }

    /** Processes started together have adjacent numbers. */
    @Test
    void furtherAddressesOfNeighboursDiffer() {
        Set<Gid> all = new HashSet<>();
        for (long pid = 1000; pid < 1020; pid++) {
            for (int n = 0; n < 32; n++) {
                Gid gid = PortAddresses.loopback(pid, n);
                assertThat(gid.toString()).startsWith("::ffff:127.");
                all.add(gid);
            }
        }
        assertThat(all).hasSize(20 * 32);
    }
}
