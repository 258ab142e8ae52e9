/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import io.verbs4j.Errno;
import io.verbs4j.OpsFlags;
import io.verbs4j.OpsWorkRequest;
import io.verbs4j.OpsWrOpcode;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;

/**
 * The matching list of a shared receive queue of type TM: tagged buffers in the order in which they were added. All
 * methods are thread-safe.
 *
 * <p>Buffers are added while messages arrive. A message that matches none goes to an ordinary receive, and the program
 * itself looks for its buffer, including among those it has added meanwhile. The device therefore counts such messages,
 * and the program reports how many of them it has handled. A buffer added while the two numbers differ takes part in
 * matching once they are equal.
 *
 * <p>Operations are carried out when they are posted, so at most those of one list are outstanding.
 */
public final class TagList {
    /** Maximum number of buffers. */
    public static final int MAX_TAGS = 1 << TagList.INDEX_BITS;

    /** Maximum number of outstanding operations, and so of operations in one post. */
    public static final int MAX_OPS = 1 << 16;

    /** Maximum number of pieces of a buffer. */
    public static final int MAX_SGE = 4;

    /** The message matched a buffer, which was taken. */
    static final int MATCHED = 0;

    /** The message matched no buffer: an ordinary receive was taken, and the message counted. */
    static final int UNEXPECTED = 1;

    /** There is no receive either; nothing has changed. */
    static final int NOT_READY = 2;

    private static final int INDEX_BITS = 12;
    private static final int FLAGS = OpsFlags.SIGNALED | OpsFlags.TM_SYNC;

    /**
     * With more unhandled unexpected messages than this, completions of messages request the number handled, as with
     * mlx5.
     */
    private static final int MAX_LAG = 0x3fff;

    private final RxeSrq srq;
    private final TagEntry[] entries;
    private final int maxOps;
    private final WorkCompletion wc = new WorkCompletion();
    private TagEntry first;
    private TagEntry last;
    private TagEntry free;

    /** The number of unexpected messages, and how many of them the program reported as handled. */
    private int unexpected;

    private int handled;

    TagList(RxeSrq srq, int maxTags, int maxOps) {
        this.srq = srq;
        this.maxOps = maxOps;
        entries = new TagEntry[maxTags];
        for (int i = maxTags - 1; i >= 0; i--) {
            entries[i] = new TagEntry(i);
            entries[i].next = free;
            free = entries[i];
        }
    }

    // ---- posted operations

    /** Carries out a list of operations; returns 0, or an errno and the failing one in {@code bad}. */
    synchronized int post(OpsWorkRequest wr, OpsWorkRequest[] bad) {
        if (wr == null) {
            return Errno.EINVAL;
        }
        int ops = 0;
        for (OpsWorkRequest w = wr; w != null; w = w.next()) {
            int flags = w.flags();
            int error = ops++ == maxOps
                    ? Errno.ENOMEM // also ends a cyclic list
                    : (flags & ~FLAGS) != 0 ? Errno.EOPNOTSUPP : execute(w, flags);
            if (error != 0) {
                if (bad != null && bad.length > 0) {
                    bad[0] = w;
                }
                return error;
            }
        }
        return 0;
    }

    private int execute(OpsWorkRequest wr, int flags) {
        switch (wr.opcode()) {
            case OpsWrOpcode.TAG_ADD:
                return add(wr, flags);
            case OpsWrOpcode.TAG_DEL:
                return delete(wr, flags);
            case OpsWrOpcode.TAG_SYNC:
                synchronize(wr, flags);
                complete(wr, flags, WcStatus.SUCCESS, WcOpcode.TM_SYNC);
                return 0;
            default:
                return Errno.EOPNOTSUPP;
        }
    }

    private int add(OpsWorkRequest wr, int flags) {
        TagEntry entry = free;
        if (entry == null) {
            return Errno.ENOMEM;
        }
        if (!entry.buffer.data.set(wr.sgList(), wr.numSge())) {
            return Errno.EINVAL;
        }
        synchronize(wr, flags);
        free = entry.next;
        entry.buffer.wrId = wr.recvWrId();
        entry.mask = wr.mask();
        entry.tag = wr.tag();
        entry.used = true;
        entry.active = handled == unexpected;
        entry.next = null;
        entry.previous = last;
        if (last == null) {
            first = entry;
        } else {
            last.next = entry;
        }
        last = entry;
        wr.handle(entry.generation << INDEX_BITS | entry.index);
        complete(wr, flags, WcStatus.SUCCESS, WcOpcode.TM_ADD);
        return 0;
    }

    private int delete(OpsWorkRequest wr, int flags) {
        int handle = wr.handle();
        int index = handle & MAX_TAGS - 1;
        if (index >= entries.length) {
            return Errno.EINVAL;
        }
        synchronize(wr, flags);
        TagEntry entry = entries[index];
        boolean there = entry.used && entry.generation << INDEX_BITS == (handle & -MAX_TAGS);
        if (there) {
            takeOut(entry);
        }
        complete(wr, flags, there ? WcStatus.SUCCESS : WcStatus.TM_ERR, WcOpcode.TM_DEL);
        return 0;
    }

    private void synchronize(OpsWorkRequest wr, int flags) {
        if ((flags & OpsFlags.TM_SYNC) == 0) {
            return;
        }
        handled = wr.unexpectedCnt();
        if (handled == unexpected) {
            for (TagEntry e = last; e != null && !e.active; e = e.previous) {
                e.active = true;
            }
        }
    }

    private void takeOut(TagEntry entry) {
        if (entry.previous == null) {
            first = entry.next;
        } else {
            entry.previous.next = entry.next;
        }
        if (entry.next == null) {
            last = entry.previous;
        } else {
            entry.next.previous = entry.previous;
        }
        entry.used = false;
        entry.active = false;
        entry.generation++;
        entry.previous = null;
        entry.next = free;
        free = entry;
    }

    private void complete(OpsWorkRequest wr, int flags, int status, int opcode) {
        if (status == WcStatus.SUCCESS && (flags & OpsFlags.SIGNALED) == 0) {
            return;
        }
        wc.wrId(wr.wrId()).status(status).opcode(opcode).wcFlags(handled == unexpected ? 0 : WcFlags.TM_SYNC_REQ);
        srq.push(wc, false);
    }

    // ---- messages

    /**
     * Finds the buffer for a message.
     *
     * @param into receives the buffer, or the ordinary receive
     * @param tag the message's tag
     * @param matched completion to push with the buffer's id if the message matches, before any other message is
     *     examined; or null
     * @return {@link #MATCHED}, {@link #UNEXPECTED} or {@link #NOT_READY}
     */
    synchronized int match(RecvWqe into, long tag, WorkCompletion matched) {
        for (TagEntry e = first; e != null; e = e.next) {
            if (e.matches(tag)) {
                into.copyFrom(e.buffer);
                takeOut(e);
                if (matched != null) {
                    srq.push(matched.wrId(into.wrId), false);
                }
                return MATCHED;
            }
        }
        if (!srq.take(into)) {
            return NOT_READY;
        }
        unexpected++;
        return UNEXPECTED;
    }

    /** {@return whether the completion of an unexpected message is to request the number of handled ones} */
    synchronized boolean isFarBehind() {
        return unexpected - handled > MAX_LAG;
    }

    /** Removes all buffers. */
    synchronized void clear() {
        while (first != null) {
            takeOut(first);
        }
    }
}
