/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A file descriptor that a verb created, which the program must close: Java cannot close a number. The object behind
 * it, a dma-buf for instance, stays alive as long as others use the descriptor, and does not depend on the handle that
 * it was exported from.
 *
 * <p>Providers subclass it. All methods may be called from any thread. Since level 3.
 */
public abstract class ExportedFd implements AutoCloseable {
    private static final int CLOSED = -1;

    private final AtomicInteger fd;

    /**
     * Creates an instance that owns a descriptor; for providers.
     *
     * @param fd the descriptor, from 0
     * @throws IllegalArgumentException if it is negative
     */
    protected ExportedFd(int fd) {
        if (fd < 0) {
            throw new IllegalArgumentException(fd + " is not a file descriptor");
        }
        this.fd = new AtomicInteger(fd);
    }

    /**
     * Returns the descriptor, to pass on. Do not use it after {@link #close()}, because its number may then be reused
     * for another file.
     *
     * @return the descriptor, from 0
     * @throws VerbsException {@link Errno#EBADF} after close
     */
    public final int fd() {
        int number = fd.get();
        if (number == CLOSED) {
            throw new VerbsException(Errno.EBADF, "fd", "the file descriptor is closed; export again");
        }
        return number;
    }

    /** Closes the descriptor; further calls do nothing. */
    @Override
    public final void close() {
        int number = fd.getAndSet(CLOSED);
        if (number != CLOSED) {
            closeFd(number);
        }
    }

    /**
     * Closes a descriptor; for providers. Called once, and must not throw: a descriptor is closed even if the operating
     * system reports an error.
     *
     * @param number the descriptor
     */
    protected abstract void closeFd(int number);

    @Override
    public final String toString() {
        int number = fd.get();
        return number == CLOSED ? "closed file descriptor" : "file descriptor " + number;
    }
}
