/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

/**
 * A descriptor that is closed only once no call uses it any more. Otherwise its number could immediately stand for
 * another file, which a late call would then use.
 */
final class FileDescriptor extends Gate {
    private final int fd;

    FileDescriptor(int fd) {
        this.fd = fd;
    }

    /** {@return the number; valid between {@link #enter} and {@link #exit}} */
    int fd() {
        return fd;
    }

    /** Closes the descriptor after the calls in progress; the caller must make sure that these end. Idempotent. */
    void close() {
        if (shut()) {
            Posix.calls().close(fd);
        }
    }
}
