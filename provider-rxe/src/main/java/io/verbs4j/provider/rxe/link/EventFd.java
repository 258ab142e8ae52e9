/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

/**
 * A descriptor for event loops outside Java; readable from {@link #raise} to {@link #clear}. Callers must make one call
 * at a time, and none after {@link #close}. No call waits or allocates.
 */
public final class EventFd implements AutoCloseable {
    /** Size of the value written and read. */
    private static final int COUNT = Long.BYTES;

    private final int fd;

    /** The value to write, followed by room for the value read. */
    private final StructBuffer value;

    private EventFd(int fd, StructBuffer value) {
        this.fd = fd;
        this.value = value;
        value.putLong(0, 1);
    }

    /**
     * Creates a descriptor that is not readable. Returns null if system calls are unavailable or the process has no
     * descriptor left.
     */
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

    /** {@return the number of the descriptor, until it is closed} */
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
