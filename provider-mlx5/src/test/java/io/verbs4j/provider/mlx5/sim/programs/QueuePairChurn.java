/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static io.verbs4j.rdmacore.sim.Check.require;

import io.verbs4j.CompletionQueue;
import io.verbs4j.QueuePair;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.testsupport.Patience;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that creates and destroys queue pairs over a completion queue that others use, so that numbers move from one
 * thread to another. All completions of a live queue pair must arrive, and none of one that was destroyed before the
 * poll.
 */
final class QueuePairChurn {
    private static final int POSTS = 3;
    private static final int ID = 40;
    private static final long WAIT = Patience.NANOS;

    private final ThreadsProgram threads;
    private final CompletionQueue cq;
    private final long number;
    private int serial;
    private int destroyed;
    private int completeOfThis;
    private int destroyedBeforePoll;

    QueuePairChurn(ThreadsProgram threads, CompletionQueue cq, int number) {
        this.threads = threads;
        this.cq = cq;
        this.number = number;
    }

    /** Creates a queue pair, uses it and destroys it, every other time with completions still to come. */
    void run(ThreadsProgram.Group group) {
        QueuePair[] pair = threads.connected(cq);
        serial++;
        begin();
        for (int i = 0; i < POSTS; i++) {
            SendWorkRequest wr = new SendWorkRequest()
                    .wrId(number << ID | (long) serial << 8 | i)
                    .opcode(WrOpcode.RDMA_WRITE)
                    .sendFlags(SendFlags.SIGNALED)
                    .remoteAddr(threads.mr().addr() + threads.mr().length() - Long.BYTES)
                    .rkey(threads.mr().rkey())
                    .sgList(new ScatterGatherElement()
                            .addr(threads.mr().addr() + threads.mr().length() - 2 * Long.BYTES)
                            .length(Long.BYTES)
                            .lkey(threads.mr().lkey()));
            require(pair[0].postSend(wr) == 0, "a post was refused");
        }
        long start = System.nanoTime();
        while (serial % 2 == 0 && complete() != POSTS && !group.isOver()) {
            group.check();
            require(System.nanoTime() - start < WAIT, complete() + " completions of " + POSTS);
            LockSupport.parkNanos(10_000);
        }
        pair[0].close();
        pair[1].close();
        end();
    }

    private synchronized void begin() {
        completeOfThis = 0;
    }

    private synchronized void end() {
        destroyed = serial;
    }

    private synchronized int complete() {
        return completeOfThis;
    }

    /** Called by the only thread that polls, before each poll. */
    synchronized void aboutToPoll() {
        destroyedBeforePoll = destroyed;
    }

    /** Takes one of its own completions. */
    synchronized void complete(WorkCompletion wc) {
        int of = (int) ((wc.wrId() & (1L << ID) - 1) >>> 8);
        require(wc.status() == WcStatus.SUCCESS, WcStatus.toString(wc.status()));
        require(of > destroyedBeforePoll, "a completion of a destroyed queue pair");
        if (of > destroyed) { // otherwise it was destroyed since the poll
            require((wc.wrId() & 0xff) == completeOfThis, "out of order");
            completeOfThis++;
        }
    }
}
