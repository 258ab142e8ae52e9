/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

/** Where a post tells which work request failed. */
public final class BadWr {
    private BadWr() {}

    /** Tells it, where the caller wants to know, and answers the errno. */
    public static <T> int tell(T wr, T[] badWr, int errno) {
        if (badWr != null && badWr.length > 0) {
            badWr[0] = wr;
        }
        return errno;
    }
}
