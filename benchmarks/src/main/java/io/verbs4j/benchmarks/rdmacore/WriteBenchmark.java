/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import io.verbs4j.QueuePair;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import org.openjdk.jmh.annotations.Benchmark;

/** {@code post_send} of RDMA writes. */
public class WriteBenchmark extends OnPair {
    private SendWorkRequest[] single;
    private SendWorkRequest list64;
    private SendWorkRequest[] list32;

    @Override
    void opened() {
        single = requests(WrOpcode.RDMA_WRITE, false);
        list64 = requests(WrOpcode.RDMA_WRITE, true)[0];
        list32 = requests(WrOpcode.RDMA_WRITE, true);
        list32[BATCH / 2 - 1].next(null);
    }

    /** Posts one request per call. */
    @Benchmark
    public void one() {
        QueuePair qp = from().qp();
        for (int i = 0; i < OPERATIONS; i++) {
            error |= qp.postSend(single[i % BATCH]);
        }
    }

    /** Posts 32 requests per call. */
    @Benchmark
    public void by32() {
        QueuePair qp = from().qp();
        for (int i = 0; i < OPERATIONS; i += BATCH / 2) {
            error |= qp.postSend(list32[i % BATCH]);
        }
    }

    /** Posts 64 requests per call. */
    @Benchmark
    public void by64() {
        QueuePair qp = from().qp();
        for (int i = 0; i < OPERATIONS; i += BATCH) {
            error |= qp.postSend(list64);
        }
    }
}
