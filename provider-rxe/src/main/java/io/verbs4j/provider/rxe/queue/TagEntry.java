/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

/** An entry of a matching list: a tagged buffer, or free. Created once and reused; guarded by the list. */
final class TagEntry {
    final RecvWqe buffer;
    final int index;

    /** Number of buffers that have been in this entry; handles of earlier ones are invalid. */
    int generation;

    /** Whether the entry has a buffer. */
    boolean used;

    /**
     * Whether it takes part in matching: only after the program has handled the unexpected messages that came before
     * it.
     */
    boolean active;

    long tag;
    long mask;

    /** The next buffer in the list or, for a free entry, the next free one. */
    TagEntry next;

    TagEntry previous;

    TagEntry(int index) {
        this.index = index;
        this.buffer = new RecvWqe(TagList.MAX_SGE);
    }

    boolean matches(long messageTag) {
        return active && (messageTag & mask) == tag;
    }
}
