/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;

/** Reports which work request of a list failed. */
public final class BadWr {
    private BadWr() {}

    /**
     * Returns how many requests of one list are accepted, even if other threads poll meanwhile: a list may be circular.
     * A device may have more room than it reports: rdma_rxe of Linux 6.1 rounds up to a power of two without reporting
     * it.
     *
     * @param told the reported capacity of the queue
     */
    static int mostAtOnce(int told) {
        return (int) Math.min(2L * told + 1, Integer.MAX_VALUE);
    }

    /** Stores a request in the caller's array and returns the error for the caller to return. */
    public static <T> int tell(T wr, T[] badWr, int error) {
        if (badWr != null && badWr.length > 0) {
            badWr[0] = wr;
        }
        return error;
    }

    static SendWorkRequest nth(SendWorkRequest head, int index) {
        SendWorkRequest wr = head;
        for (int i = 0; i < index && wr.next() != null; i++) {
            wr = wr.next();
        }
        return wr;
    }

    /**
     * Returns whether a request has more inline data than there is room for; libmlx5 reports that with ENOMEM, like a
     * full queue.
     */
    static boolean isInlineBeyond(SendWorkRequest wr, int room) {
        if ((wr.sendFlags() & SendFlags.INLINE) == 0) {
            return false;
        }
        ScatterGatherElement[] list = wr.sgList();
        int count = list == null ? 0 : Math.min(wr.numSge(), list.length); // it may have changed meanwhile
        long length = 0;
        for (int i = 0; i < count; i++) {
            ScatterGatherElement e = list[i];
            length += e == null ? 0 : e.length();
        }
        return length > room;
    }

    static RecvWorkRequest nth(RecvWorkRequest head, int index) {
        RecvWorkRequest wr = head;
        for (int i = 0; i < index && wr.next() != null; i++) {
            wr = wr.next();
        }
        return wr;
    }
}
