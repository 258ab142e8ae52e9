/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.base;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import java.io.IOException;

/** Another process did not respond in time. */
public final class LateException extends IOException {
    private static final long serialVersionUID = 1;

    /** Creates the exception; the message names what this process waited for. */
    public LateException(String message) {
        super(message);
    }

    /**
     * Returns the exception of a verb that could not reach another process: {@link Errno#ETIMEDOUT} for a {@link
     * LateException}.
     */
    public static VerbsException failed(String verb, String what, IOException e) {
        int errno = e instanceof LateException ? Errno.ETIMEDOUT : IoErrno.of(e);
        return new VerbsException(errno, verb, what + ": " + e.getMessage(), e);
    }
}
