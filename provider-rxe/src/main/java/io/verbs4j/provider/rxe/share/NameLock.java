/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import io.verbs4j.natives.memory.NativeMemory;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

/**
 * Shows processes of other containers, which have their own process numbers, whether the process that wrote a file
 * lives: the kernel releases the lock when the process ends. This does not depend on any clock. The lock belongs to an
 * open file; a lock of the process would be lost whenever the process closes the file after checking it.
 */
final class NameLock implements AutoCloseable {
    private static final int F_OFD_GETLK = 36;
    private static final int F_OFD_SETLK = 37;
    private static final int O_RDWR = 2;
    private static final int O_NONBLOCK = 0x800;
    private static final int O_CLOEXEC = 0x80000;
    private static final short F_WRLCK = 1;
    private static final short F_UNLCK = 2;

    /** Size of {@code struct flock}: type, whence, start, length, process. Zeros mean the whole file. */
    private static final int FLOCK = 32;

    private final Kernel kernel;
    private int fd;

    private NameLock(Kernel kernel, int fd) {
        this.kernel = kernel;
        this.fd = fd;
    }

    /** Locks a file of this process. Returns null if the file system does not support such locks. */
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

    /** Returns whether a file is locked; true as well if this cannot be determined. */
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

    /** Requests or queries a lock; returns the lock type that the call leaves, or -1. */
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
