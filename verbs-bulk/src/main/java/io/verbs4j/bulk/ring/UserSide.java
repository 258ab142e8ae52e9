/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.ring;

import java.lang.invoke.VarHandle;

/** The user's side of a ring: writes submissions and reads completions. For one thread at a time. */
public final class UserSide {
    private final RingMemory memory;
    private int sqTail;
    private int sqHead;
    private int cqHead;
    private int cqTail;

    public UserSide(RingMemory memory) {
        this.memory = memory;
    }

    /** Returns the offset of the next submission, or -1 if the ring is full. The caller must fill in all fields. */
    public int next() {
        if (sqTail - sqHead == memory.sqEntries()) {
            sqHead = memory.acquire(RingLayout.SQ_HEAD);
            if (sqTail - sqHead == memory.sqEntries()) {
                return -1;
            }
        }
        return memory.submission(sqTail++);
    }

    /** Makes the submissions written since the last call visible to the engine. */
    public void publish() {
        memory.release(RingLayout.SQ_TAIL, sqTail);
    }

    /** Whether the engine sleeps and must be woken for the published submissions. */
    public boolean needsWakeup() {
        VarHandle.fullFence(); // the tail is stored before the flag is loaded
        return (memory.flags() & RingLayout.NEED_WAKEUP) != 0;
    }

    /** Returns the offset of the oldest completion, or -1 if there is none. */
    public int peek() {
        return ready() == 0 ? -1 : memory.completion(cqHead);
    }

    /** Number of completions. */
    public int ready() {
        if (cqTail == cqHead) {
            cqTail = memory.acquire(RingLayout.CQ_TAIL);
        }
        return cqTail - cqHead;
    }

    /** Releases the oldest completions. */
    public void advance(int count) {
        cqHead += count;
        memory.release(RingLayout.CQ_HEAD, cqHead);
    }
}
