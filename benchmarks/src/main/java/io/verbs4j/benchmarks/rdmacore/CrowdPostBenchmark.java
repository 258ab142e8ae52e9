/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/** {@code post_send}, one request per call. */
public class CrowdPostBenchmark extends CrowdBenchmark {
    /** Whether each request is posted on another queue pair of the crowd. */
    @Param("false")
    public boolean each;

    @Override
    public void before() {
        fill();
        post();
    }

    @Override
    public void after() {
        DeviceSim.pump();
        takeAny(queue(), 2 * OPERATIONS);
        check();
    }

    /** Posts a batch. */
    @Benchmark
    public void post() {
        if (each) {
            postToEach();
        } else {
            postToOne();
        }
    }
}
