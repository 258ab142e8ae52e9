/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import org.openjdk.jmh.annotations.Benchmark;

/** Sends by a builder, with receives already posted. */
public class BuiltSendBenchmark extends OnPair {
    private SendBuilder builder;
    private SendWorkRequest[] sends;

    @Override
    void opened() {
        builder = from().qp().builder();
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

    /** Posts one request per start and complete. */
    @Benchmark
    public void one() {
        SendBuilder b = builder;
        for (int i = 0; i < OPERATIONS; i++) {
            SendWorkRequest wr = sends[i % BATCH];
            ScatterGatherElement e = wr.sgList()[0];
            b.start();
            b.send(wr.wrId(), SendFlags.SIGNALED, e.lkey(), e.addr(), e.length());
            error |= b.complete();
        }
    }
}
