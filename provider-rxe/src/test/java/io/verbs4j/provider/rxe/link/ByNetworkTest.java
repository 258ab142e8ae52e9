/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Gid;
import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.testsupport.Patience;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** If there is a ring to a peer, packets that require the network use it, and no others. */
@Timeout(Patience.TEST_SECONDS)
class ByNetworkTest {
    private final List<Integer> received = new ArrayList<>();

    private static long end() {
        return System.nanoTime() + Patience.NANOS;
    }

    private void poll(Link link) {
        link.maintain();
        link.poll(packet -> received.add(packet.psn()), 64);
    }

    private void receive(Link link, int psn) {
        received.clear();
        for (long end = end(); received.isEmpty() && System.nanoTime() < end; ) {
            poll(link);
        }
        assertThat(received).containsExactly(psn);
    }

    private static long records(Link link) {
        return link.counters().get("tx_onecopy_records");
    }

    @Test
    void networkIsUsedUntilNextFlush() {
        LinkOptions options = TestContext.oneCopy();
        try (Link from = Traffic.open(options);
                Link to = Traffic.open(options)) {
            Gid there = to.localGid();
            for (long end = end(); from.reach(there).ring() == null && System.nanoTime() < end; ) {
                poll(from);
                poll(to);
            }
            assertThat(from.reach(there).ring()).isNotNull();
            TxBatch batch = from.newBatch();
            Traffic.send(batch, there, 1, 16);
            batch.flush();
            receive(to, 1);
            assertThat(records(from)).isEqualTo(1);
            batch.byNetwork();
            Traffic.send(batch, there, 2, 16);
            batch.flush();
            receive(to, 2);
            assertThat(records(from)).as("records through the ring").isEqualTo(1);
            assertThat(to.counters().get(LinkCounters.RX_PACKETS))
                    .as("packets through the network")
                    .isEqualTo(1);
            Traffic.send(batch, there, 3, 16);
            batch.flush();
            receive(to, 3);
            assertThat(records(from)).isEqualTo(2);
        }
    }
}
