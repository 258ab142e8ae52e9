/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

/**
 * A descriptor that is closed only when no call is using it any more: its number may at once stand for another file, and
 * a late call would go there.
 */
final class FileDescriptor extends Gate {
    private final int fd;

    FileDescriptor(int fd) {
        this.fd = fd;
    }

    /** The number; valid between {@link #enter} and {@link #exit}. */
    int fd() {
        return fd;
    }

    /** Closes, after the calls under way: whoever calls this has made sure that they end. Idempotent. */
    void close() {
        if (shut()) {
            Posix.calls().close(fd);
        }
    }
}
