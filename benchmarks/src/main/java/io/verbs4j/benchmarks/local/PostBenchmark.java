/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.local;

import io.verbs4j.Context;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import io.verbs4j.benchmarks.harness.Contents;
import io.verbs4j.benchmarks.rc.RcEnd;
import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The benchmark that {@link Posting} runs: our operations, and those of a bounded queue of the JDK with a copy of the
 * same bytes.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PostBenchmark {
    static final int SIZE = 64;
    static final int LIST = 16;

    private static final int DEPTH = 64;

    /** Size of a message in bytes. */
    @Param("" + SIZE)
    public int size;

    private ByteBuffer source;
    private ByteBuffer target;
    private final ArrayBlockingQueue<ByteBuffer> queue = new ArrayBlockingQueue<>(DEPTH);
    private Context context;
    private RcEnd from;
    private RcEnd to;
    private SendWorkRequest write;
    private SendWorkRequest list;
    private SendWorkRequest send;
    private RecvWorkRequest receive;

    /** Connects two queue pairs. */
    @Setup
    public void open() {
        source = Contents.allocate(size);
        target = Contents.allocate(size);
        Contents.fill(source, 1);
        context = RcEnd.openDevice();
        from = new RcEnd(context, source, DEPTH, DEPTH);
        to = new RcEnd(context, target, DEPTH, DEPTH);
        from.connect(to.address());
        to.connect(from.address());
        write = write();
        list = null;
        for (int i = 0; i < LIST; i++) {
            list = write().next(list);
        }
        send = write().opcode(WrOpcode.SEND);
        receive = new RecvWorkRequest().sgList(ScatterGatherElement.of(to.memory()));
    }

    private SendWorkRequest write() {
        return new SendWorkRequest()
                .opcode(WrOpcode.RDMA_WRITE)
                .sendFlags(SendFlags.SIGNALED)
                .sgList(ScatterGatherElement.of(from.memory()))
                .remoteAddr(to.memory().addr())
                .rkey(to.memory().rkey());
    }

    /** Checks that the data was moved. */
    @TearDown
    public void close() {
        Contents.check(target, source);
        from.close();
        to.close();
        context.close();
    }

    /** Posts an RDMA write, and polls its completion. */
    @Benchmark
    public int writeOurs() {
        RcEnd.posted(from.qp().postSend(write));
        return from.sends().await();
    }

    /** Puts an object in, copies, and takes it out. */
    @Benchmark
    public ByteBuffer writeTheirs() {
        queue.offer(source);
        target.put(0, source, 0, size);
        return queue.poll();
    }

    /** Posts a list of RDMA writes, and polls their completions. */
    @Benchmark
    @OperationsPerInvocation(LIST)
    public void listOurs() {
        RcEnd.posted(from.qp().postSend(list));
        for (int n = 0; n < LIST; ) {
            n += from.sends().await();
        }
    }

    /** Puts objects in and copies, then takes them out. */
    @Benchmark
    @OperationsPerInvocation(LIST)
    public int listTheirs() {
        for (int i = 0; i < LIST; i++) {
            queue.offer(source);
            target.put(0, source, 0, size);
        }
        int n = 0;
        while (queue.poll() != null) {
            n++;
        }
        return n;
    }

    /** Posts a receive and a send, and polls the completions of both. */
    @Benchmark
    public int sendOurs() {
        RcEnd.posted(to.qp().postRecv(receive));
        RcEnd.posted(from.qp().postSend(send));
        return to.receives().await() + from.sends().await();
    }

    /** Puts two objects in, copies, and takes both out. */
    @Benchmark
    public int sendTheirs() {
        queue.offer(target);
        queue.offer(source);
        target.put(0, source, 0, size);
        return queue.poll().capacity() + queue.poll().capacity();
    }
}
