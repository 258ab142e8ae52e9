/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.base;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import java.io.IOException;

/** Another process does not do in time what this one waits for. */
public final class LateException extends IOException {
    private static final long serialVersionUID = 1;

    /** With what is waited for. */
    public LateException(String message) {
        super(message);
    }

    /** What a verb answers with where another process could not be reached. */
    public static VerbsException failed(String verb, String what, IOException e) {
        int errno = e instanceof LateException ? Errno.ETIMEDOUT : IoErrno.of(e);
        return new VerbsException(errno, verb, what + ": " + e.getMessage(), e);
    }
}
