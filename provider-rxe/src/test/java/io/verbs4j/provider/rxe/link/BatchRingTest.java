/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Gid;
import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.provider.rxe.share.RingWriter;
import io.verbs4j.testsupport.Patience;
import java.lang.ref.WeakReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A batch waits in a pool for its next use and keeps no ring meanwhile. */
@Tag("attack")
@EnabledOnOs(OS.LINUX)
@Timeout(Patience.TEST_SECONDS)
class BatchRingTest {
    private static final int LENGTH = 100;

    /** A field, so that it stays alive while the test runs, as in a pool. */
    private TxBatch batch;

    @Test
    void batchKeepsNoRingToDeadPeer() throws Exception {
        LinkOptions options = TestContext.oneCopy();
        try (Link link = Links.open(TestContext.newAddress(), options)) {
            batch = link.newBatch();
            WeakReference<RingWriter> ring = sendByRing(link, options);
            long end = System.nanoTime() + Patience.NANOS;
            while (ring.get() != null) {
                assertThat(System.nanoTime())
                        .as("time until the ring is collected")
                        .isLessThan(end);
                link.maintain(); // detects that the peer is gone
                System.gc();
                Thread.sleep(20);
            }
        }
    }

    private WeakReference<RingWriter> sendByRing(Link link, LinkOptions options) throws InterruptedException {
        try (Link peer = Links.open(TestContext.newAddress(), options)) {
            Gid to = peer.localGid();
            long end = System.nanoTime() + Patience.NANOS;
            peer.maintain(); // publishes its address
            while (link.reach(to).ring() == null) {
                assertThat(System.nanoTime())
                        .as("time until a ring is established")
                        .isLessThan(end);
                link.maintain();
                peer.poll(packet -> {}, 1);
                peer.maintain();
                Thread.sleep(1);
            }
            batch.begin(to.subnetPrefix(), to.interfaceId(), LENGTH);
            batch.end(LENGTH);
            batch.flush();
            return new WeakReference<>(link.reach(to).ring());
        }
    }
}
