/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.QpType;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.benchmarks.harness.Contents;
import io.verbs4j.benchmarks.rc.RcEnd;
import java.nio.ByteBuffer;

/**
 * Two connected queue pairs and their messages: the same as in {@code pair.c}, with the same capacities, flags and
 * sizes.
 */
final class Pair implements AutoCloseable {
    private static final int BATCH = Batches.BATCH;
    private static final int SIZE = 64;

    private final ByteBuffer source = Contents.allocate(BATCH * SIZE);
    private final ByteBuffer target = Contents.allocate(BATCH * SIZE);
    private final WorkCompletion[] taken = new WorkCompletion[BATCH];
    private final Context context;
    private final RcEnd from;
    private final RcEnd to;
    private long stamp;

    /** Connects two queue pairs of a context, which is closed with them. */
    Pair(Context context) {
        this(context, Batches.OPERATIONS);
    }

    /** Connects two queue pairs with queues for {@code depth} work requests. */
    Pair(Context context, int depth) {
        this(context, context.createCq(depth), depth);
    }

    /**
     * Connects two queue pairs, the first of which uses {@code sends}, with room for {@code depth} completions, for its
     * sends.
     */
    Pair(Context context, CompletionQueue sends, int depth) {
        this.context = context;
        int type = Conditions.current().isEfa() ? QpType.DRIVER : QpType.RC;
        from = new RcEnd(context, source, sends, depth, depth, type);
        to = new RcEnd(context, target, context.createCq(depth), depth, depth, type);
        from.connect(to.address());
        to.connect(from.address());
        for (int i = 0; i < BATCH; i++) {
            taken[i] = new WorkCompletion();
        }
    }

    /** Checks all of the memory, and closes everything. */
    @Override
    public void close() {
        if (stamp != 0) {
            Contents.check(target, source);
        }
        from.close();
        to.close();
        context.close();
    }

    Context context() {
        return context;
    }

    RcEnd from() {
        return from;
    }

    RcEnd to() {
        return to;
    }

    /** Returns requests for all messages, single or linked. */
    SendWorkRequest[] requests(int opcode, boolean linked) {
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
                    .ah(from.peer())
                    .remoteQpn(to.qp().qpNum())
                    .remoteQkey(RcEnd.QKEY)
                    .next(linked && i < BATCH - 1 ? all[i + 1] : null);
        }
        return all;
    }

    /** Returns receives for all messages, single or linked. */
    RecvWorkRequest[] receives(boolean linked) {
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

    /** Changes the contents of the messages. */
    void fill() {
        if (stamp == 0) {
            Contents.fill(source, 1);
        }
        stamp += BATCH;
        for (int i = 0; i < BATCH; i++) {
            source.putLong(i * SIZE, stamp + i);
        }
    }

    /** Takes the completions of all operations, which must be successful and in order. */
    void take(CompletionQueue cq) {
        for (int i = 0; i < Batches.REPEATS; i++) {
            takeBatch(cq);
        }
    }

    private void takeBatch(CompletionQueue cq) {
        pollBatch(cq);
        for (int i = 0; i < BATCH; i++) {
            if (taken[i].wrId() != i) {
                throw new IllegalStateException("completion " + i + " is of request " + taken[i].wrId());
            }
        }
    }

    private void pollBatch(CompletionQueue cq) {
        int n = cq.poll(BATCH, taken);
        if (n != BATCH) {
            throw new IllegalStateException("expected " + BATCH + " completions, got " + n);
        }
        for (int i = 0; i < n; i++) {
            if (taken[i].status() != WcStatus.SUCCESS) {
                throw new IllegalStateException("completion " + i + ": request " + taken[i].wrId() + ", "
                        + WcStatus.toString(taken[i].status()));
            }
        }
    }

    /** Takes the completions of a number of operations, a multiple of {@link Batches#BATCH}, in any order. */
    void takeAny(CompletionQueue cq, int operations) {
        long ids = 0;
        for (int i = 0; i < operations; i += BATCH) {
            pollBatch(cq);
            for (WorkCompletion completion : taken) {
                ids += completion.wrId();
            }
        }
        if (ids != operations * (BATCH - 1L) / 2) {
            throw new IllegalStateException("a request completed twice");
        }
    }

    /** Takes the completions of a batch of sends, and waits for them if the device has its own thread. */
    void takeAll() {
        int n = 0;
        while (n < BATCH) {
            int more = from.sends().await();
            for (int i = 0; i < more; i++) {
                if (from.sends().get(i).wrId() != n++) {
                    throw new IllegalStateException("completion " + (n - 1) + " is out of order");
                }
            }
        }
    }

    /** Throws if a message has not arrived. */
    void check() {
        for (int i = 0; i < BATCH; i++) {
            if (target.getLong(i * SIZE) != stamp + i) {
                throw new IllegalStateException("wrong data: message " + i + " did not arrive");
            }
        }
    }
}
