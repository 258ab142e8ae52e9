/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import org.openjdk.jmh.annotations.Benchmark;

/** RDMA writes by a builder; the values are read from work requests, as in {@code builder.c}. */
public class BuiltWriteBenchmark extends OnPair {
    private static final int INLINE_SIZE = 16;

    private SendBuilder builder;
    private SendWorkRequest[] writes;

    /** Posts full-size writes once, since inline messages are shorter and do not transfer the rest. */
    @Override
    void opened() {
        fill();
        postWrites();
        after();
        builder = from().qp().builder();
        writes = requests(WrOpcode.RDMA_WRITE, false);
    }

    /** Posts one write per start and complete. */
    @Benchmark
    public void write() {
        SendBuilder b = builder;
        for (int i = 0; i < OPERATIONS; i++) {
            b.start();
            write(b, writes[i % BATCH]);
            error |= b.complete();
        }
    }

    /** Posts one inline write per start and complete. */
    @Benchmark
    public void inline() {
        SendBuilder b = builder;
        for (int i = 0; i < OPERATIONS; i++) {
            SendWorkRequest wr = writes[i % BATCH];
            ScatterGatherElement e = wr.sgList()[0];
            b.start();
            b.write(wr.wrId(), SendFlags.SIGNALED, wr.rkey(), wr.remoteAddr())
                    .inlineData(e.lkey(), e.addr(), INLINE_SIZE);
            error |= b.complete();
        }
    }

    /** Posts 64 writes per start and complete. */
    @Benchmark
    public void list64() {
        SendBuilder b = builder;
        for (int repeat = 0; repeat < REPEATS; repeat++) {
            b.start();
            for (int i = 0; i < BATCH; i++) {
                write(b, writes[i]);
            }
            error |= b.complete();
        }
    }

    private static void write(SendBuilder b, SendWorkRequest wr) {
        ScatterGatherElement e = wr.sgList()[0];
        b.write(wr.wrId(), SendFlags.SIGNALED, wr.rkey(), wr.remoteAddr(), e.lkey(), e.addr(), e.length());
    }

    /** Like {@link #write}, with a separate call for the element, as in C. */
    @Benchmark
    public void writeParts() {
        SendBuilder b = builder;
        for (int i = 0; i < OPERATIONS; i++) {
            b.start();
            writeParts(b, writes[i % BATCH]);
            error |= b.complete();
        }
    }

    /** Like {@link #list64}, with a separate call for each element, as in C. */
    @Benchmark
    public void list64Parts() {
        SendBuilder b = builder;
        for (int repeat = 0; repeat < REPEATS; repeat++) {
            b.start();
            for (int i = 0; i < BATCH; i++) {
                writeParts(b, writes[i]);
            }
            error |= b.complete();
        }
    }

    private static void writeParts(SendBuilder b, SendWorkRequest wr) {
        ScatterGatherElement e = wr.sgList()[0];
        b.write(wr.wrId(), SendFlags.SIGNALED, wr.rkey(), wr.remoteAddr()).sge(e.lkey(), e.addr(), e.length());
    }
}
