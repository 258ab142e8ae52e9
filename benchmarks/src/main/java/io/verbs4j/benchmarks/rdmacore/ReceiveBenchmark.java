/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import org.openjdk.jmh.annotations.Benchmark;

/** {@code post_recv}; sends consume the receives afterwards. */
public class ReceiveBenchmark extends OnPair {
    private RecvWorkRequest[] receives;

    @Override
    void opened() {
        receives = receives(false);
    }

    @Override
    public void after() {
        postSends();
        DeviceSim.pump();
        take(to().receives().queue());
        take(from().sends().queue());
        check();
    }

    /** Posts one request per call. */
    @Benchmark
    public void one() {
        QueuePair qp = to().qp();
        for (int i = 0; i < OPERATIONS; i++) {
            error |= qp.postRecv(receives[i % BATCH]);
        }
    }
}
