/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

/**
 * A descriptor that event loops outside Java wait for: readable from {@link #raise} to {@link #clear}. Its user makes one call at a
 * time, and none after {@link #close}. No call waits or allocates.
 */
public final class EventFd implements AutoCloseable {
    /** Length of what is written and read. */
    private static final int COUNT = Long.BYTES;

    private final int fd;

    /** What is written; what is read goes behind it. */
    private final StructBuffer value;

    private EventFd(int fd, StructBuffer value) {
        this.fd = fd;
        this.value = value;
        value.putLong(0, 1);
    }

    /** Makes one that is not readable; null where system calls can't be made, or the process has no descriptor left. */
    static EventFd open() {
        StructBuffer value = new StructBuffer(2 * COUNT);
        if (Posix.enter() != null) {
            return null;
        }
        int fd = Posix.calls().eventfd(0, Posix.EFD_NONBLOCK | Posix.EFD_CLOEXEC);
        if (fd < 0) {
            Posix.exit();
            return null;
        }
        return new EventFd(fd, value);
    }

    /** The number of the descriptor, until it is closed. */
    public int descriptor() {
        return fd;
    }

    /** Makes it readable. */
    public void raise() {
        Posix.calls().write(fd, value.address(0), COUNT);
        value.keepUntilHere();
    }

    /** Makes it unreadable, however often it was raised. */
    public void clear() {
        Posix.calls().read(fd, value.address(COUNT), COUNT);
        value.keepUntilHere();
    }

    @Override
    public void close() {
        Posix.calls().close(fd);
        Posix.exit();
    }
}
