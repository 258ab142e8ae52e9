/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import io.verbs4j.Errno;

/** Where a post tells which work request failed. */
public final class BadWr {
    private BadWr() {}

    /** What a post answers that something was thrown in: verbs of data don't throw. */
    public static int errno(Throwable thrown) {
        return thrown instanceof OutOfMemoryError ? Errno.ENOMEM : Errno.EIO;
    }

    /** Tells it, where the caller wants to know, and answers the errno. */
    public static <T> int tell(T wr, T[] badWr, int errno) {
        if (badWr != null && badWr.length > 0) {
            badWr[0] = wr;
        }
        return errno;
    }
}
