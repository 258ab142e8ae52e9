/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.local;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.benchmarks.harness.Contents;
import io.verbs4j.benchmarks.rc.Crowd;
import io.verbs4j.benchmarks.rc.RcEnd;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Posts an RDMA write and polls its completion, on one of many queue pairs: always the same, or each in turn. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ScaleBenchmark {
    private static final int SIZE = 64;

    /** Number of queue pairs. */
    @Param("10000")
    public int pairs;

    private final ByteBuffer memory = Contents.allocate(2 * SIZE);
    private final WorkCompletion[] completion = {new WorkCompletion()};
    private Context context;
    private ProtectionDomain pd;
    private CompletionQueue cq;
    private MemoryRegion mr;
    private SendWorkRequest write;
    private Crowd crowd;

    /** Creates all queue pairs, and uses each once. */
    @Setup
    public void open() {
        Contents.fill(memory, 1);
        context = RcEnd.openDevice();
        pd = context.allocPd();
        cq = context.createCq(Crowd.DEPTH);
        mr = pd.regMr(memory, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
        write = new SendWorkRequest()
                .opcode(WrOpcode.RDMA_WRITE)
                .sendFlags(SendFlags.SIGNALED)
                .sgList(ScatterGatherElement.of(mr, 0, SIZE))
                .remoteAddr(mr.addr() + SIZE)
                .rkey(mr.rkey());
        crowd = new Crowd(pd, cq, pairs);
        for (int i = 0; i < pairs; i++) {
            write(crowd.next());
        }
    }

    /** Checks the moved data. */
    @TearDown
    public void close() {
        Contents.check(
                memory.duplicate().position(SIZE).slice(),
                memory.duplicate().limit(SIZE).slice());
        crowd.close();
        mr.close();
        cq.close();
        pd.close();
        context.close();
    }

    /** Uses the first queue pair. */
    @Benchmark
    public int one() {
        return write(crowd.first());
    }

    /** Uses a different queue pair each time. */
    @Benchmark
    public int each() {
        return write(crowd.next());
    }

    private int write(QueuePair qp) {
        RcEnd.posted(qp.postSend(write));
        int n = cq.poll(1, completion);
        if (n != 1 || completion[0].status() != 0) {
            throw new IllegalStateException("the write has not completed: " + completion[0]);
        }
        return n;
    }
}
