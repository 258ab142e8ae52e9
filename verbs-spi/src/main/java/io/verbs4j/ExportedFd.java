/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A file descriptor that a verb has made, which is the program's to close: Java can't close a number. What it stands
 * for, a dma-buf for instance, lives on where others have taken the descriptor up by then, and does not depend on the
 * handle that it was made of.
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
     * @throws IllegalArgumentException where it is less
     */
    protected ExportedFd(int fd) {
        if (fd < 0) {
            throw new IllegalArgumentException(fd + " is no file descriptor");
        }
        this.fd = new AtomicInteger(fd);
    }

    /**
     * The descriptor, to be passed on. It is not to be used after {@link #close()}: its number may be another file's
     * then.
     *
     * @return the descriptor, from 0
     * @throws VerbsException {@link Errno#EBADF} after close
     */
    public final int fd() {
        int number = fd.get();
        if (number == CLOSED) {
            throw new VerbsException(Errno.EBADF, "fd", "the file descriptor is closed; export once more");
        }
        return number;
    }

    /** Closes the descriptor; once, however often it is called. */
    @Override
    public final void close() {
        int number = fd.getAndSet(CLOSED);
        if (number != CLOSED) {
            closeFd(number);
        }
    }

    /**
     * Closes a descriptor; for providers. Called once, and not to throw: a descriptor is closed whatever the operating
     * system answers.
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
