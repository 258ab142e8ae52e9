/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import io.verbs4j.QueuePair;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import org.openjdk.jmh.annotations.Benchmark;

/** {@code post_send} of RDMA writes with inline data. */
public class InlineBenchmark extends OnPair {
    private static final int SIZE = 16;

    private SendWorkRequest[] writes;

    /** Posts full-size writes once, since inline messages are shorter and do not transfer the rest. */
    @Override
    void opened() {
        fill();
        postWrites();
        after();
        writes = requests(WrOpcode.RDMA_WRITE, false);
        for (SendWorkRequest wr : writes) {
            long at = wr.remoteAddr() - to().memory().addr();
            wr.sendFlags(SendFlags.SIGNALED | SendFlags.INLINE)
                    .sgList(ScatterGatherElement.of(from().memory(), at, SIZE));
        }
    }

    /** Posts one request per call. */
    @Benchmark
    public void one() {
        QueuePair qp = from().qp();
        for (int i = 0; i < OPERATIONS; i++) {
            error |= qp.postSend(writes[i % BATCH]);
        }
    }
}
