/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import io.verbs4j.natives.memory.NativeMemory;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

/**
 * Whether who wrote a file lives, for processes of other containers, which have numbers of their own for processes: a
 * lock that the kernel lets go of when the process ends. No clock has to do with it. It is one of an open file and not
 * of the process, which would lose that whenever it closes the file after it has looked at it.
 */
final class NameLock implements AutoCloseable {
    private static final int F_OFD_GETLK = 36;
    private static final int F_OFD_SETLK = 37;
    private static final int O_RDWR = 2;
    private static final int O_NONBLOCK = 0x800;
    private static final int O_CLOEXEC = 0x80000;
    private static final short F_WRLCK = 1;
    private static final short F_UNLCK = 2;

    /** Bytes of {@code struct flock}: type, whence, start, length, process; zeros stand for the whole file. */
    private static final int FLOCK = 32;

    private final Kernel kernel;
    private int fd;

    private NameLock(Kernel kernel, int fd) {
        this.kernel = kernel;
        this.fd = fd;
    }

    /** Locks a file of this process's; null where the file system has no such locks. */
    static NameLock take(Kernel kernel, Path file) {
        int fd = open(kernel, file);
        if (fd >= 0 && call(kernel, fd, F_OFD_SETLK) == F_WRLCK) {
            return new NameLock(kernel, fd);
        }
        if (fd >= 0) {
            kernel.close(fd);
        }
        return null;
    }

    /** Whether somebody has locked a file, or that can't be told. */
    static boolean isHeld(Kernel kernel, Path file) {
        int fd = open(kernel, file);
        if (fd < 0) {
            return true;
        }
        try {
            return call(kernel, fd, F_OFD_GETLK) != F_UNLCK;
        } finally {
            kernel.close(fd);
        }
    }

    private static int open(Kernel kernel, Path file) {
        return SharedMemory.withName(file.toString(), name -> kernel.open(name, O_RDWR | O_NONBLOCK | O_CLOEXEC));
    }

    /** Asks for a lock, or about it; answers the type of lock that is written then, or -1. */
    private static short call(Kernel kernel, int fd, int command) {
        ByteBuffer lock = ByteBuffer.allocateDirect(FLOCK).order(ByteOrder.nativeOrder());
        lock.putShort(0, F_WRLCK);
        try {
            return kernel.fcntl(fd, command, NativeMemory.address(lock)) < 0 ? -1 : lock.getShort(0);
        } finally {
            Reference.reachabilityFence(lock);
        }
    }

    @Override
    public void close() {
        if (fd >= 0) {
            kernel.close(fd);
            fd = -1;
        }
    }
}
