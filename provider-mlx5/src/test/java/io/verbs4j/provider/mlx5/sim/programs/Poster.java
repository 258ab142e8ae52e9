/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static io.verbs4j.rdmacore.sim.Check.require;

import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.QueuePair;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.natives.memory.NativeMemory;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * The posts of one thread: RDMA writes of eight bytes, with a few under way at a time. Any thread may take the
 * completions; each must arrive once, with its bytes at the other side, and in order if one thread polls.
 */
final class Poster {
    static final int WINDOW = 8;
    private static final int ID = 40;

    private final int number;
    private final QueuePair[] qps;
    private final MemoryRegion mr;
    private final long source;
    private final long target;
    private final boolean ordered;

    /** The number of the post in each place plus 1, or 0 if none is under way. */
    private final AtomicLongArray underWay = new AtomicLongArray(WINDOW);

    private long next;
    private volatile long completed;

    /**
     * Creates a poster that uses queue pairs in turn; its bytes are in 2 * {@link #WINDOW} words starting at
     * {@code at}.
     */
    Poster(int number, QueuePair[] qps, MemoryRegion mr, long at, boolean ordered) {
        this.number = number;
        this.qps = qps;
        this.mr = mr;
        this.source = at;
        this.target = at + (long) WINDOW * Long.BYTES;
        this.ordered = ordered;
    }

    /** Returns the number of the poster that a completion belongs to. */
    static int of(long wrId) {
        return (int) (wrId >>> ID);
    }

    long completed() {
        return completed;
    }

    /** Posts {@code count} requests, and waits until all are complete. */
    void run(long count, ThreadsProgram.Group group) {
        ScatterGatherElement element =
                new ScatterGatherElement().length(Long.BYTES).lkey(mr.lkey());
        SendWorkRequest wr = new SendWorkRequest()
                .opcode(WrOpcode.RDMA_WRITE)
                .sendFlags(SendFlags.SIGNALED)
                .rkey(mr.rkey())
                .sgList(element);
        for (long i = 0; i < count; i++) {
            int place = (int) (i % WINDOW);
            for (int spins = 0; underWay.get(place) != 0; spins++) {
                pause(spins, group);
            }
            NativeMemory.putLong(source + place * (long) Long.BYTES, value(i));
            underWay.set(place, i + 1);
            wr.wrId((long) number << ID | i).remoteAddr(target + place * (long) Long.BYTES);
            wr.sendFlags(SendFlags.SIGNALED | (i % 3 == 0 ? SendFlags.INLINE : 0));
            element.addr(source + place * (long) Long.BYTES);
            QueuePair qp = qps[(int) (i % qps.length)];
            int error = qp.postSend(wr);
            for (int spins = 0; error == Errno.ENOMEM; spins++) {
                pause(spins, group);
                error = qp.postSend(wr);
            }
            require(error == 0, "a post was refused: " + error);
        }
        for (int spins = 0; completed < count; spins++) {
            pause(spins, group);
        }
    }

    private static void pause(int spins, ThreadsProgram.Group group) {
        group.check();
        if (spins < 20) {
            Thread.onSpinWait();
        } else {
            LockSupport.parkNanos(10_000);
        }
    }

    private long value(long i) {
        return (long) number << ID ^ i * 0x9e3779b97f4a7c15L;
    }

    /** Takes one of its own completions. */
    void complete(WorkCompletion wc) {
        long i = wc.wrId() & (1L << ID) - 1;
        int place = (int) (i % WINDOW);
        require(wc.status() == WcStatus.SUCCESS, WcStatus.toString(wc.status()));
        require(wc.qpNum() == qps[(int) (i % qps.length)].qpNum(), "post " + i + " by queue pair " + wc.qpNum());
        require(
                NativeMemory.getLong(target + place * (long) Long.BYTES) == value(i),
                "the bytes of post " + i + " did not arrive");
        synchronized (this) {
            require(!ordered || i == next, "post " + i + " completed before " + next);
            next = i + 1;
            completed++;
        }
        require(underWay.compareAndSet(place, i + 1, 0), "post " + i + " completed twice");
    }
}
