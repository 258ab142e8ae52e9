/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;

/** Telling which work request of a list failed. */
public final class BadWr {
    private BadWr() {}

    /**
     * How many requests of one list are accepted, whoever polls meanwhile: a list may lead back to itself. A device may
     * have more room than it has told: rdma_rxe of Linux 6.1 rounds up to a power of two, and does not tell so.
     *
     * @param told what the queue has room for, as it was told
     */
    static int mostAtOnce(int told) {
        return (int) Math.min(2L * told + 1, Integer.MAX_VALUE);
    }

    /** Puts a request where the caller wants to find it; the error, for the caller to return. */
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

    /** Whether a request has more inline data than there is room for: to libmlx5 that is ENOMEM, as a queue that is full. */
    static boolean isInlineBeyond(SendWorkRequest wr, int room) {
        if ((wr.sendFlags() & SendFlags.INLINE) == 0) {
            return false;
        }
        ScatterGatherElement[] list = wr.sgList();
        int count = list == null ? 0 : Math.min(wr.numSge(), list.length); // the program may have changed it meanwhile
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
