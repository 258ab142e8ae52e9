/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.lanes;

import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WorkCompletion;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.queue.RxeCq;

/**
 * The completion queue that lanes read: takes completions from the device's queue and writes them where lanes look. The
 * format is in {@code v4j_embedded.h}. Not thread-safe.
 */
final class LaneCompletions {
    /** Size of a completion in bytes. */
    static final int SIZE = 64;

    private static final int BATCH = 16;
    private static final int ROUND = 60; // offset

    private final RxeCq cq;
    private final LaneMemory memory;
    private final WorkCompletion[] taken = new WorkCompletion[BATCH];
    private long written;

    /** Creates the queue with at least {@code cqe} places. */
    LaneCompletions(RxeCq cq, int cqe) {
        this.cq = cq;
        memory = new LaneMemory(cqe);
        for (int i = 0; i < BATCH; i++) {
            taken[i] = new WorkCompletion();
        }
    }

    long address() {
        return memory.address();
    }

    int places() {
        return memory.places();
    }

    /**
     * Moves completions for which there is room. Returns how many.
     *
     * @param consumed how many completions lanes have read
     */
    int move(long consumed) {
        long room = memory.places() - (written - consumed);
        int n = room <= 0 ? 0 : cq.poll((int) Math.min(BATCH, room), taken);
        for (int i = 0; i < n; i++) {
            WorkCompletion wc = taken[i];
            boolean received = wc.opcode() >= WcOpcode.RECV;
            boolean immediate = received && (wc.wcFlags() & WcFlags.WITH_IMM) != 0;
            write(
                    wc.wrId(),
                    wc.status(),
                    wc.vendorErr(),
                    wc.qpNum(),
                    received,
                    received ? wc.byteLen() : 0,
                    immediate,
                    immediate ? wc.immData() : 0);
        }
        return Math.max(n, 0);
    }

    /** Writes the completion of a descriptor that was refused. There is room, because lanes limit their requests. */
    void fail(long index, int status, int errno, int qpNum) {
        write(index, status, errno, qpNum, false, 0, false, 0);
    }

    private void write(
            long wrId,
            int status,
            int vendorErr,
            int qpNum,
            boolean received,
            int length,
            boolean hasImmediate,
            int immediate) {
        long at = memory.place(written);
        NativeMemory.putLong(at, wrId);
        NativeMemory.putInt(at + 8, status);
        NativeMemory.putInt(at + 12, vendorErr);
        NativeMemory.putInt(at + 16, qpNum);
        NativeMemory.putInt(at + 20, received ? 1 : 0);
        NativeMemory.putInt(at + 24, length);
        NativeMemory.putInt(at + 28, immediate);
        NativeMemory.putInt(at + 32, hasImmediate ? 1 : 0);
        NativeMemory.putIntRelease(at + ROUND, (int) (written / memory.places()) + 1); // last: now it can be read
        written++;
    }
}
