/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import io.verbs4j.WorkCompletion;
import io.verbs4j.rdmacore.layout.WcLayout;
import io.verbs4j.rdmacore.marshal.Completions;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/**
 * One JNI call for each post or poll. Work requests are prepared in native memory, so filling them in is not timed. All
 * members of a completion are copied to a {@link WorkCompletion}, as the API does; this is timed.
 */
public class JniBenchmark extends Batches {
    private static final int MOST = 16;

    /** Name of the verb in {@code verbs.c}, which selects what is done before and after. */
    @Param("")
    public String verb;

    private final WorkCompletion[] completions =
            Stream.generate(WorkCompletion::new).limit(MOST).toArray(WorkCompletion[]::new);
    private long pair;
    private long qp;
    private long cq;
    private long[] writes;
    private long[] sends;
    private long list;
    private long room;
    private int polled;
    private long ids;

    @Override
    void open() {
        pair = Jni.open(verb);
        qp = Jni.qp(pair);
        cq = Jni.sendCq(pair);
        writes = requests(Jni.WRITES);
        sends = requests(Jni.SENDS);
        list = Jni.request(pair, 0, Jni.WRITE_LIST);
        room = Jni.completions(pair);
    }

    private long[] requests(int kind) {
        return IntStream.range(0, BATCH)
                .mapToLong(i -> Jni.request(pair, i, kind))
                .toArray();
    }

    @Override
    public void before() {
        polled = 0;
        ids = 0;
        Jni.before(pair);
    }

    @Override
    public void after() {
        Jni.after(pair, error, polled, ids);
    }

    @Override
    public void close() {
        Jni.close(pair);
    }

    /** Posts one write per call, with an element or inline. */
    @Benchmark
    public void write() {
        post(writes);
    }

    /** Posts one send per call. */
    @Benchmark
    public void send() {
        post(sends);
    }

    /** Posts 64 writes per call. */
    @Benchmark
    public void list64() {
        for (int i = 0; i < OPERATIONS; i += BATCH) {
            error |= Jni.postSend(qp, list);
        }
    }

    /** Polls one completion per call. */
    @Benchmark
    public void poll1() {
        poll(1);
    }

    /** Polls 16 completions per call. */
    @Benchmark
    public void poll16() {
        poll(MOST);
    }

    private void post(long[] requests) {
        for (int i = 0; i < OPERATIONS; i++) {
            error |= Jni.postSend(qp, requests[i % BATCH]);
        }
    }

    private void poll(int most) {
        for (int i = 0; i < OPERATIONS; i += most) {
            int n = Jni.pollCq(cq, most, room);
            for (int k = 0; k < n; k++) {
                WorkCompletion wc = completions[k];
                Completions.read(room + (long) k * WcLayout.SIZEOF, wc);
                error |= wc.status();
                ids += wc.wrId();
            }
            polled += n;
        }
    }
}
