/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.ExportedFd;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.call.Libc;
import io.verbs4j.rdmacore.call.Answers;

/** A descriptor of the kernel's that is the program's to close. */
final class OwnedFd extends ExportedFd {
    OwnedFd(int fd) {
        super(fd);
    }

    /**
     * What a function has returned that exports something. To be called at once.
     *
     * @throws VerbsException where it is below 0, of the errno
     */
    static OwnedFd checked(String verb, long answer) {
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
