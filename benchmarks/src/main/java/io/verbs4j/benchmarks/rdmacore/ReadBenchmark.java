/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.CqCreateFlags;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.PollCqAttr;
import io.verbs4j.WcExFlags;
import io.verbs4j.WcOpcode;
import org.openjdk.jmh.annotations.Benchmark;

/** Reads single completions in place, like {@code read_by} of {@code verbs.c}: id, status, opcode and length. */
public class ReadBenchmark extends OnPair {
    private static final int MOST = 16;

    private final PollCqAttr attr = new PollCqAttr();
    private int polled;
    private long ids;
    private long bytes;

    @Override
    Pair pair(Context context) {
        CqInitAttrEx wanted = new CqInitAttrEx().cqe(OPERATIONS).wcFlags(WcExFlags.BYTE_LEN);
        if (Conditions.current().isSingleThreaded()) {
            wanted.flags(CqCreateFlags.SINGLE_THREADED);
        }
        return new Pair(context, context.createCqEx(wanted), OPERATIONS);
    }

    @Override
    public void before() {
        fill();
        postWrites();
        DeviceSim.pump();
        polled = 0;
        ids = 0;
        bytes = 0;
    }

    @Override
    public void after() {
        if (polled != OPERATIONS || ids != OPERATIONS * (BATCH - 1) / 2 || bytes < 0) {
            throw new IllegalStateException("expected " + OPERATIONS + " completions, got " + polled);
        }
        check();
    }

    /** Reads one completion from start to end. */
    @Benchmark
    public void one() {
        read(1);
    }

    /** Reads 16 completions from start to end. */
    @Benchmark
    public void by16() {
        read(MOST);
    }

    private void read(int most) {
        CompletionQueue cq = from().sends().queue();
        for (int i = 0; i < OPERATIONS; i += most) {
            int n = 0;
            if (cq.startPoll(attr) != 0) {
                return;
            }
            do {
                error |= cq.status() | cq.readOpcode() ^ WcOpcode.RDMA_WRITE;
                ids += cq.wrId();
                bytes += cq.readByteLen();
            } while (++n < most && cq.nextPoll() == 0);
            cq.endPoll();
            polled += n;
        }
    }
}
