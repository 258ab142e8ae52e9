/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import io.verbs4j.natives.memory.NativeMemory;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Memory that two processes have mapped: a file in memory that can't shrink, so that no access to it ends the JVM. */
final class SharedMemory implements AutoCloseable {
    private static final int MFD_CLOEXEC = 1;
    private static final int MFD_ALLOW_SEALING = 2;
    private static final int F_ADD_SEALS = 1033;
    private static final int F_GET_SEALS = 1034;
    private static final int F_SEAL_SHRINK = 2;
    private static final int F_SEAL_GROW = 4;
    private static final int O_RDWR = 2;
    private static final int O_NONBLOCK = 0x800;
    private static final int O_CLOEXEC = 0x80000;
    private static final int PIECE = 1 << 16;
    private static final int MADV_REMOVE = 9;

    private final Kernel kernel;
    private final MappedByteBuffer buffer;
    private final long address;
    private int fd;

    private SharedMemory(Kernel kernel, MappedByteBuffer buffer, int fd) {
        this.kernel = kernel;
        this.buffer = buffer;
        this.address = NativeMemory.address(buffer);
        this.fd = fd;
    }

    /** Makes memory, all zeros, that others can open by {@link #fd()} until {@link #close()}. */
    static SharedMemory create(Kernel kernel, int size) throws IOException {
        int fd = withName("verbs4j", name -> kernel.memfd(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
        check(kernel, fd, "memfd_create");
        boolean complete = false;
        boolean interrupted = Thread.interrupted(); // a channel would close itself
        try (FileChannel channel = open(fd)) {
            ByteBuffer zeros = ByteBuffer.allocate(PIECE);
            for (int at = 0; at < size; at += PIECE) { // all pages are there before they are mapped
                channel.write(zeros.clear().limit(Math.min(PIECE, size - at)), at);
            }
            check(kernel, kernel.fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW), "fcntl(F_ADD_SEALS)");
            SharedMemory made = new SharedMemory(kernel, channel.map(FileChannel.MapMode.READ_WRITE, 0, size), fd);
            complete = true;
            return made;
        } finally {
            if (!complete) {
                kernel.close(fd);
            }
            restore(interrupted);
        }
    }

    /** Maps what another process has made. */
    static SharedMemory open(Kernel kernel, int pid, int theirFd, int size) throws IOException {
        return open(kernel, "/proc/" + pid + "/fd/" + theirFd, size);
    }

    /** Maps what a descriptor of this process is of, which another process has made. */
    static SharedMemory open(Kernel kernel, int ownFd, int size) throws IOException {
        return open(kernel, "/proc/self/fd/" + ownFd, size);
    }

    private static SharedMemory open(Kernel kernel, String name, int size) throws IOException {
        int fd = withName(name, path -> kernel.open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK));
        check(kernel, fd, name);
        boolean interrupted = Thread.interrupted(); // as above
        try {
            int seals = kernel.fcntl(fd, F_GET_SEALS, 0);
            if (seals < 0 || (seals & F_SEAL_SHRINK) == 0) {
                throw new IOException(name + " is not sealed");
            }
            try (FileChannel channel = open(fd)) {
                if (channel.size() != size) {
                    throw new IOException(name + " has " + channel.size() + " bytes");
                }
                return new SharedMemory(kernel, channel.map(FileChannel.MapMode.READ_WRITE, 0, size), -1);
            }
        } finally {
            kernel.close(fd);
            restore(interrupted);
        }
    }

    private static void restore(boolean interrupted) {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static FileChannel open(int fd) throws IOException {
        return FileChannel.open(Path.of("/proc/self/fd/" + fd), StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    /** A system call that takes a name. */
    interface Call {
        /** Makes it; the name ends with a zero. */
        int with(long name);
    }

    /** Makes a system call that takes a name. */
    static int withName(String text, Call call) {
        byte[] bytes = (text + '\0').getBytes(StandardCharsets.UTF_8);
        ByteBuffer name = ByteBuffer.allocateDirect(bytes.length).put(bytes);
        try {
            return call.with(NativeMemory.address(name));
        } finally {
            Reference.reachabilityFence(name);
        }
    }

    private static void check(Kernel kernel, int result, String what) throws IOException {
        if (result < 0) {
            throw new IOException(what + " failed with error " + kernel.errno());
        }
    }

    /** The memory; big-endian, as packets are. */
    ByteBuffer buffer() {
        return buffer.order(ByteOrder.BIG_ENDIAN);
    }

    /** Where it is; mapped until {@link #keepUntilHere} at least, whatever becomes of the rest. */
    long address() {
        return address;
    }

    /** Reads a word at once, before all that is read after. */
    long get(int offset) {
        long value = NativeMemory.getLongVolatile(address + offset);
        keepUntilHere();
        return value;
    }

    /** Writes a word at once, after all that was written before. */
    void put(int offset, long value) {
        NativeMemory.putLongVolatile(address + offset, value);
        keepUntilHere();
    }

    /** Compares a word and swaps, at once for all threads of all processes; returns what was there. */
    long compareAndExchange(int offset, long expected, long value) {
        long found = NativeMemory.compareAndExchangeLong(address + offset, expected, value);
        keepUntilHere();
        return found;
    }

    /** Keeps it mapped until here: to be called behind accesses by its address, as an address alone keeps nothing. */
    @SuppressWarnings("ReachabilityFenceUsage") // what throws has no more accesses
    void keepUntilHere() {
        Reference.reachabilityFence(this);
    }

    /**
     * Gives the pages behind an offset back to the system. Whoever has the memory mapped finds zeros there from now on:
     * to be called only when
     * nobody reads it any more. The mapping itself goes when nobody refers to it.
     */
    void discard(int from) {
        kernel.madvise(address + from, buffer.capacity() - from, MADV_REMOVE);
        keepUntilHere();
    }

    /** The descriptor that others open it by; -1 where it is theirs, or closed. */
    synchronized int fd() {
        return fd;
    }

    /** Nobody can open it any more. Who has mapped it keeps it: it goes when nobody refers to it. */
    @Override
    public synchronized void close() {
        if (fd >= 0) {
            kernel.close(fd);
            fd = -1;
        }
    }
}
