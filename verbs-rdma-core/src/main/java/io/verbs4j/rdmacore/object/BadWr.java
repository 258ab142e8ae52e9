/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendWorkRequest;

/** Telling which work request of a list failed. */
public final class BadWr {
    private BadWr() {}

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

    static RecvWorkRequest nth(RecvWorkRequest head, int index) {
        RecvWorkRequest wr = head;
        for (int i = 0; i < index && wr.next() != null; i++) {
            wr = wr.next();
        }
        return wr;
    }
}
