/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.loop;

import io.verbs4j.Errno;
import io.verbs4j.WorkCompletion;
import java.util.ArrayDeque;
import java.util.Deque;

/** Behind a completion queue. Data verbs are called without the library in between: they check, and return errnos. */
final class Completions {
    private final int room;
    private final Deque<Entry> entries = new ArrayDeque<>();
    private boolean overrun;
    private boolean closed;

    /** One completion; a WorkCompletion belongs to the program. */
    record Entry(long wrId, int status, int opcode, int byteLen, int qpNum) {}

    Completions(int room) {
        this.room = room;
    }

    synchronized void add(Entry entry) {
        if (entries.size() == room) {
            overrun = true; // told by poll; a device with asynchronous events raises CQ_ERR too
        } else {
            entries.add(entry);
        }
    }

    synchronized int poll(int numEntries, WorkCompletion[] wc) {
        if (closed || wc == null || numEntries < 0 || numEntries > wc.length) {
            return -Errno.EINVAL;
        }
        int n = 0;
        for (; n < numEntries && !entries.isEmpty(); n++) {
            Entry entry = entries.poll();
            wc[n].wrId(entry.wrId).status(entry.status).opcode(entry.opcode).byteLen(entry.byteLen);
            wc[n].qpNum(entry.qpNum).wcFlags(0);
        }
        return n == 0 && overrun ? -Errno.EOVERFLOW : n;
    }

    /** Closed is EINVAL; else what the device does not have is EOPNOTSUPP. */
    synchronized int reqNotify() {
        return closed ? Errno.EINVAL : Errno.EOPNOTSUPP;
    }

    synchronized void drop(int qpNum) {
        entries.removeIf(entry -> entry.qpNum == qpNum);
    }

    synchronized void destroy() {
        closed = true;
    }
}
