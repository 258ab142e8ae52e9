/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import io.verbs4j.CompletionQueue;
import io.verbs4j.WorkCompletion;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/** {@code poll_cq}, one completion per call. */
public class CrowdPollBenchmark extends CrowdBenchmark {
    private final WorkCompletion[] completions = {new WorkCompletion()};
    private int polled;
    private long ids;

    /** Whether each request is posted on another queue pair of the crowd. */
    @Param("false")
    public boolean each;

    @Override
    public void before() {
        fill();
        for (int i = 0; i < 2; i++) {
            if (each) {
                postToEach();
            } else {
                postToOne();
            }
        }
        DeviceSim.pump();
        polled = 0;
        ids = 0;
        poll();
    }

    @Override
    public void after() {
        if (polled != 2 * OPERATIONS || ids != OPERATIONS * (BATCH - 1)) {
            throw new IllegalStateException("expected " + 2 * OPERATIONS + " completions, got " + polled);
        }
        check();
    }

    /** Polls a batch. */
    @Benchmark
    public void poll() {
        CompletionQueue cq = queue();
        for (int i = 0; i < OPERATIONS; i++) {
            polled += cq.poll(1, completions);
            error |= completions[0].status();
            ids += completions[0].wrId();
        }
    }
}
