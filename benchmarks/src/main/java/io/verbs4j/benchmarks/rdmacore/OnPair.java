/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.benchmarks.harness.Contents;
import io.verbs4j.benchmarks.rc.RcEnd;
import io.verbs4j.core.Verbs;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * Two connected queue pairs on a simulated device, and what they are to move: the same as {@code pair.c}, with the same
 * capacities, flags and sizes. A benchmark's method makes {@link #BATCH} operations, and JMH looks at the clock before and
 * after it, but not while {@link #before} and {@link #after} run. {@link JavaSide} divides by the batch.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public abstract class OnPair {
    /** Operations between two looks at the clock. */
    static final int BATCH = 64;

    private static final int SIZE = 64;
    private static final int DEPTH = 128;
    private static final String DEVICE = "mlx5_0";

    private final ByteBuffer source = Contents.allocate(BATCH * SIZE);
    private final ByteBuffer target = Contents.allocate(BATCH * SIZE);
    private final WorkCompletion[] taken = new WorkCompletion[BATCH];
    private Context context;
    private RcEnd from;
    private RcEnd to;
    private SendWorkRequest writeList;
    private SendWorkRequest sendList;
    private RecvWorkRequest receiveList;
    private long stamp;
    private Garbage garbage;

    /** Errors of the verbs that were timed, or'ed. */
    int error;

    /** Connects two queue pairs. */
    @Setup
    public void open(BenchmarkParams params) {
        garbage = new Garbage(this, params);
        Device device = Verbs.devices().stream()
                .filter(d -> d.name().equals(DEVICE))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("there is no " + DEVICE + ": " + Verbs.report()));
        context = Verbs.open(device, VerbsLevel.CURRENT);
        from = new RcEnd(context, source, DEPTH, DEPTH);
        to = new RcEnd(context, target, DEPTH, DEPTH);
        from.connect(to.address());
        to.connect(from.address());
        for (int i = 0; i < BATCH; i++) {
            taken[i] = new WorkCompletion();
        }
        writeList = requests(WrOpcode.RDMA_WRITE, true)[0];
        sendList = requests(WrOpcode.SEND, true)[0];
        receiveList = receives(true)[0];
        opened();
    }

    /** Makes what else is needed. */
    void opened() {}

    /** Closes what {@link #opened} has made. */
    void closing() {}

    /** What is to be done before a batch. */
    @Setup(Level.Invocation)
    public void before() {
        fill();
    }

    /** What is to be done after a batch. */
    @TearDown(Level.Invocation)
    public abstract void after();

    /** Makes some batches more, and counts what they allocate. */
    @TearDown(Level.Iteration)
    public void countGarbage() {
        garbage.count(this);
    }

    /** Looks at all of the memory, and at what the device says of its checks; closes. */
    @TearDown
    public void close() {
        if (stamp != 0) {
            Contents.check(target, source);
        }
        if (DeviceSim.device_sim_count(DeviceSim.VIOLATIONS) != 0
                || DeviceSim.device_sim_count(DeviceSim.KEY_ERRORS) != 0) {
            throw new IllegalStateException("the device has refused a descriptor or a key");
        }
        closing();
        from.close();
        to.close();
        context.close();
    }

    final Context context() {
        return context;
    }

    final RcEnd from() {
        return from;
    }

    final RcEnd to() {
        return to;
    }

    /** Requests for all messages, each on its own or linked. */
    final SendWorkRequest[] requests(int opcode, boolean linked) {
        SendWorkRequest[] all = new SendWorkRequest[BATCH];
        for (int i = BATCH - 1; i >= 0; i--) {
            long at = (long) i * SIZE;
            all[i] = new SendWorkRequest()
                    .wrId(i)
                    .opcode(opcode)
                    .sendFlags(SendFlags.SIGNALED)
                    .sgList(ScatterGatherElement.of(from.memory(), at, SIZE))
                    .remoteAddr(to.memory().addr() + at)
                    .rkey(to.memory().rkey())
                    .next(linked && i < BATCH - 1 ? all[i + 1] : null);
        }
        return all;
    }

    /** Receives for all messages, each on its own or linked. */
    final RecvWorkRequest[] receives(boolean linked) {
        RecvWorkRequest[] all = new RecvWorkRequest[BATCH];
        for (int i = BATCH - 1; i >= 0; i--) {
            long at = (long) i * SIZE;
            all[i] = new RecvWorkRequest()
                    .wrId(i)
                    .sgList(ScatterGatherElement.of(to.memory(), at, SIZE))
                    .next(linked && i < BATCH - 1 ? all[i + 1] : null);
        }
        return all;
    }

    /** Gives the messages other contents. */
    final void fill() {
        if (stamp == 0) {
            Contents.fill(source, 1);
        }
        stamp += BATCH;
        for (int i = 0; i < BATCH; i++) {
            source.putLong(i * SIZE, stamp + i);
        }
    }

    /** Posts a write of every message. */
    final void postWrites() {
        RcEnd.posted(from.qp().postSend(writeList));
    }

    /** Posts a send of every message. */
    final void postSends() {
        RcEnd.posted(from.qp().postSend(sendList));
    }

    /** Posts a receive of every message. */
    final void postReceives() {
        RcEnd.posted(to.qp().postRecv(receiveList));
    }

    /** Takes the completions of a batch: all of them, in order, without an error. */
    final void take(CompletionQueue cq) {
        int n = cq.poll(BATCH, taken);
        if (n != BATCH) {
            throw new IllegalStateException("of " + BATCH + " completions there were " + n);
        }
        for (int i = 0; i < n; i++) {
            if (taken[i].status() != WcStatus.SUCCESS || taken[i].wrId() != i) {
                throw new IllegalStateException("completion " + i + ": request " + taken[i].wrId() + ", "
                        + WcStatus.toString(taken[i].status()));
            }
        }
    }

    /** Throws where a message has not arrived, or a timed verb has failed. */
    final void check() {
        RcEnd.posted(error);
        for (int i = 0; i < BATCH; i++) {
            if (target.getLong(i * SIZE) != stamp + i) {
                throw new IllegalStateException("wrong data: message " + i + " did not arrive");
            }
        }
    }
}
