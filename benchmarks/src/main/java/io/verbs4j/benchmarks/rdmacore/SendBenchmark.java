/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import io.verbs4j.QueuePair;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import org.openjdk.jmh.annotations.Benchmark;

/** {@code post_send} of sends, with receives already posted. */
public class SendBenchmark extends OnPair {
    private SendWorkRequest[] sends;

    @Override
    void opened() {
        sends = requests(WrOpcode.SEND, false);
    }

    @Override
    public void before() {
        fill();
        postReceives();
    }

    @Override
    public void after() {
        DeviceSim.pump();
        take(to().receives().queue());
        take(from().sends().queue());
        check();
    }

    /** Posts one request per call. */
    @Benchmark
    public void one() {
        QueuePair qp = from().qp();
        for (int i = 0; i < OPERATIONS; i++) {
            error |= qp.postSend(sends[i % BATCH]);
        }
    }
}
