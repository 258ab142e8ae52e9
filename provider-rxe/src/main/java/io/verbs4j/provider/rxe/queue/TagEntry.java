/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

/** A place in a matching list, with a tagged buffer or free. Made once and filled again and again; guarded by the list. */
final class TagEntry {
    final RecvWqe buffer;
    final int index;

    /** Counts what has been here: a handle of what was here before names nothing. */
    int generation;

    /** Whether there is a buffer. */
    boolean used;

    /** Whether messages are matched with it: not before the program has handled what came unexpected before it. */
    boolean active;

    long tag;
    long mask;

    /** Of a buffer, the next in the list; of a free place, the next that is free. */
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
