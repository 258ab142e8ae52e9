/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.ring;

import java.lang.invoke.VarHandle;

/** The user's side of a ring: writes submissions, reads completions. For one thread at a time. */
public final class UserSide {
    private final RingMemory memory;
    private int sqTail;
    private int sqHead;
    private int cqHead;
    private int cqTail;

    public UserSide(RingMemory memory) {
        this.memory = memory;
    }

    /** Where the next submission goes, or -1 where the ring is full. It is the caller's to fill in all fields. */
    public int next() {
        if (sqTail - sqHead == memory.sqEntries()) {
            sqHead = memory.acquire(RingLayout.SQ_HEAD);
            if (sqTail - sqHead == memory.sqEntries()) {
                return -1;
            }
        }
        return memory.submission(sqTail++);
    }

    /** Makes what was written since the last time visible to the engine. */
    public void publish() {
        memory.release(RingLayout.SQ_TAIL, sqTail);
    }

    /** Whether the engine sleeps, and has to be woken for what was published. */
    public boolean needsWakeup() {
        VarHandle.fullFence(); // the tail is stored before the flag is loaded
        return (memory.flags() & RingLayout.NEED_WAKEUP) != 0;
    }

    /** Where the oldest completion is, or -1 where there is none. */
    public int peek() {
        return ready() == 0 ? -1 : memory.completion(cqHead);
    }

    /** How many completions there are. */
    public int ready() {
        if (cqTail == cqHead) {
            cqTail = memory.acquire(RingLayout.CQ_TAIL);
        }
        return cqTail - cqHead;
    }

    /** Gives the oldest completions back. */
    public void advance(int count) {
        cqHead += count;
        memory.release(RingLayout.CQ_HEAD, cqHead);
    }
}
