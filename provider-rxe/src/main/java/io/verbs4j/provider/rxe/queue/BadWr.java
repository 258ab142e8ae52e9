/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import io.verbs4j.Errno;

/** Reports which work request of a post failed. */
public final class BadWr {
    private BadWr() {}

    /** Returns the errno of a post in which something was thrown: data path verbs don't throw. */
    public static int errno(Throwable thrown) {
        return thrown instanceof OutOfMemoryError ? Errno.ENOMEM : Errno.EIO;
    }

    /** Reports the failed request if the caller wants to know it, and returns the errno. */
    public static <T> int tell(T wr, T[] badWr, int errno) {
        if (badWr != null && badWr.length > 0) {
            badWr[0] = wr;
        }
        return errno;
    }
}
