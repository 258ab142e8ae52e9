/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.ExportedFd;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.call.Libc;
import io.verbs4j.rdmacore.call.Answers;

/** A kernel descriptor that the program has to close. */
public final class OwnedFd extends ExportedFd {
    OwnedFd(int fd) {
        super(fd);
    }

    /**
     * Wraps the result of an exporting function. Call it at once, because it reads errno.
     *
     * @throws VerbsException with that errno if the result is negative
     */
    public static OwnedFd checked(String verb, long answer) {
        int fd = (int) answer;
        if (fd < 0) {
            throw Answers.failed(verb, Libc.errno());
        }
        return new OwnedFd(fd);
    }

    @Override
    protected void closeFd(int number) {
        Libc.close(number);
    }
}
