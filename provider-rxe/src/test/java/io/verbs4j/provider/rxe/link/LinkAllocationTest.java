/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.verbs4j.Gid;
import io.verbs4j.testsupport.Extent;
import io.verbs4j.testsupport.Patience;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Sending and receiving allocate nothing. */
@Timeout(Patience.TEST_SECONDS)
class LinkAllocationTest {
    private static final int BATCHES = 500;

    /**
     * The JIT compiler and the measurement itself occasionally charge something to this thread; and until it is finally
     * compiled, a call through the foreign function API allocates an object.
     */
    private static final int ROUNDS = 40;

    private long sum;
    private final PacketHandler handler = p -> sum += p.psn();

    static List<Named<Supplier<Link>>> links() {
        LinkOptions udp = LinkOptions.defaults().withKind(LinkOptions.Kind.UDP);
        PipeFabric pipes = new PipeFabric();
        List<Named<Supplier<Link>>> all = List.of(
                Named.of("udp", () -> Traffic.open(udp)),
                Named.of("udp without GSO and GRO", () -> Traffic.open(udp.withOffload(false, false))),
                Named.of("pipe", () -> pipes.open(Gid.of(1, System.nanoTime()))));
        return Extent.some(all, 3);
    }

    @ParameterizedTest
    @MethodSource("links")
    void sendAndReceiveAllocateNothing(Supplier<Link> kind) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (Link a = kind.get();
                Link b = kind.get()) {
            TxBatch batch = a.newBatch();
            long high = b.localGid().subnetPrefix();
            long low = b.localGid().interfaceId();
            long least = Long.MAX_VALUE;
            for (int round = 0; round < ROUNDS; round++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                exchange(a, b, batch, high, low);
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }
            assertThat(b.counters().get(LinkCounters.RX_PACKETS)).isEqualTo(ROUNDS * BATCHES * 21L);
            // Either the measurement is 0 bytes in some round, or something is allocated each time.
            assertThat(least).isLessThan(BATCHES);
        }
    }

    private void exchange(Link a, Link b, TxBatch batch, long high, long low) {
        for (int i = 0; i < BATCHES; i++) {
            for (int k = 0; k < 20; k++) {
                Traffic.send(batch, high, low, k, 64);
            }
            Traffic.send(batch, high, low, 20, 4);
            batch.flush();
            int got = 0;
            while (got < 21) {
                got += b.poll(handler, 16);
            }
            b.await(0);
            a.poll(handler, 16);
        }
    }
}
