/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.ring;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * The engine's side of a ring: takes submissions and writes completions. Completions that do not fit into the ring
 * wait, and no submission is taken until they fit. For one thread at a time.
 */
public final class EngineSide {
    private final RingMemory memory;
    private final ByteBuffer bytes;
    private final Backlog backlog = new Backlog();
    private final Waiter waiter = new Waiter();
    private int sqHead;
    private int sqTail;
    private int cqTail;
    private int cqHead;
    private boolean completed;

    public EngineSide(RingMemory memory) {
        this.memory = memory;
        this.bytes = memory.bytes();
    }

    /** Returns the offset of the oldest submission; -1 if there is none, or if completions wait. */
    public int peek() {
        if (!backlog.isEmpty() || !hasSubmissions()) {
            return -1;
        }
        return memory.submission(sqHead);
    }

    /** Whether there are submissions, even if completions wait. */
    public boolean hasSubmissions() {
        if (sqTail == sqHead) {
            sqTail = memory.acquire(RingLayout.SQ_TAIL);
        }
        return sqTail != sqHead;
    }

    /** Releases the slot of the oldest submission after its fields were read. */
    public void taken() {
        memory.release(RingLayout.SQ_HEAD, ++sqHead);
    }

    public int u8(int offset) {
        return bytes.get(offset) & 0xff;
    }

    public int u16(int offset) {
        return bytes.getShort(offset) & 0xffff;
    }

    public int i32(int offset) {
        return bytes.getInt(offset);
    }

    public long i64(int offset) {
        return bytes.getLong(offset);
    }

    /** Writes a completion, or lets it wait. */
    public void complete(long userData, long result, int flags, int peer, long value) {
        if (!backlog.isEmpty() || isFull()) {
            backlog.add(userData, result, flags, peer, value);
            memory.setFlag(RingLayout.CQ_OVERFLOW);
        } else {
            write(userData, result, flags, peer, value);
        }
    }

    /** Whether the completion ring is full. */
    public boolean isFull() {
        if (cqTail - cqHead < memory.cqEntries()) {
            return false;
        }
        cqHead = memory.acquire(RingLayout.CQ_HEAD);
        return cqTail - cqHead == memory.cqEntries();
    }

    private void write(long userData, long result, int flags, int peer, long value) {
        int at = memory.completion(cqTail);
        bytes.putLong(at + RingLayout.CQE_USER_DATA, userData);
        bytes.putLong(at + RingLayout.CQE_RESULT, result);
        bytes.putInt(at + RingLayout.CQE_FLAGS, flags);
        bytes.putInt(at + RingLayout.CQE_PEER, peer);
        bytes.putLong(at + RingLayout.CQE_VALUE, value);
        memory.release(RingLayout.CQ_TAIL, ++cqTail);
        completed = true;
    }

    /**
     * Writes waiting completions, as many as fit.
     *
     * @return whether any was written
     */
    public boolean writeBacklog() {
        if (backlog.isEmpty()) {
            return false;
        }
        boolean any = false;
        while (!backlog.isEmpty() && !isFull()) {
            write(backlog.userData(), backlog.result(), backlog.flags(), backlog.peer(), backlog.value());
            backlog.remove();
            any = true;
        }
        if (backlog.isEmpty()) {
            memory.clearFlag(RingLayout.CQ_OVERFLOW);
        }
        return any;
    }

    /** Whether completions wait. */
    public boolean hasBacklog() {
        return !backlog.isEmpty();
    }

    /** Tells the user's side whether a submission must wake the engine. */
    public void needWakeup(boolean value) {
        if (value) {
            memory.setFlag(RingLayout.NEED_WAKEUP);
            VarHandle.fullFence(); // the flag is stored before the tail is loaded
        } else {
            memory.clearFlag(RingLayout.NEED_WAKEUP);
        }
    }

    /** Wakes a thread that waits for completions, if any were written since the last call. */
    public void signal() {
        if (completed) {
            completed = false;
            waiter.signal();
        }
    }

    /** The object on which a thread of the user waits for completions. */
    public Waiter waiter() {
        return waiter;
    }
}
