/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import io.verbs4j.CompletionQueue;
import io.verbs4j.WorkCompletion;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;

/** {@code poll_cq} of a queue that has completions. */
public class PollBenchmark extends OnPair {
    private static final int MOST = 16;

    private final WorkCompletion[] completions =
            Stream.generate(WorkCompletion::new).limit(MOST).toArray(WorkCompletion[]::new);
    private int polled;
    private long ids;

    @Override
    public void before() {
        fill();
        postWrites();
        DeviceSim.pump();
        polled = 0;
        ids = 0;
    }

    @Override
    public void after() {
        if (polled != OPERATIONS || ids != OPERATIONS * (BATCH - 1) / 2) {
            throw new IllegalStateException("expected " + OPERATIONS + " completions, got " + polled);
        }
        check();
    }

    /** Polls one completion per call. */
    @Benchmark
    public void one() {
        poll(1);
    }

    /** Polls 16 completions per call. */
    @Benchmark
    public void by16() {
        poll(MOST);
    }

    private void poll(int most) {
        CompletionQueue cq = from().sends().queue();
        for (int i = 0; i < OPERATIONS; i += most) {
            int n = cq.poll(most, completions);
            for (int k = 0; k < n; k++) {
                error |= completions[k].status();
                ids += completions[k].wrId();
            }
            polled += n;
        }
    }
}
