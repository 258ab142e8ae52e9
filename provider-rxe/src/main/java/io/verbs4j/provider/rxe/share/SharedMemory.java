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

/** Memory mapped by two processes: a memory file that cannot shrink, so that accessing it never crashes the JVM. */
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

    /** Creates zero-filled memory that other processes can open through {@link #fd()} until {@link #close()}. */
    static SharedMemory create(Kernel kernel, int size) throws IOException {
        int fd = withName("verbs4j", name -> kernel.memfd(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
        check(kernel, fd, "memfd_create");
        boolean complete = false;
        boolean interrupted = Thread.interrupted(); // a channel would close itself
        try (FileChannel channel = open(fd)) {
            ByteBuffer zeros = ByteBuffer.allocate(PIECE);
            for (int at = 0; at < size; at += PIECE) { // allocates all pages before they are mapped
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

    /** Maps memory that another process has created. */
    static SharedMemory open(Kernel kernel, int pid, int theirFd, int size) throws IOException {
        return open(kernel, "/proc/" + pid + "/fd/" + theirFd, size);
    }

    /** Maps memory that another process has created, through a descriptor of this process. */
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
        /** Makes the call; the name is zero-terminated. */
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

    /** {@return the memory; big-endian, as packets are} */
    ByteBuffer buffer() {
        return buffer.order(ByteOrder.BIG_ENDIAN);
    }

    /**
     * {@return the address of the memory} It stays mapped at least until {@link #keepUntilHere}, even if nothing else
     * refers to it.
     */
    long address() {
        return address;
    }

    /** Reads a word atomically, ordered before all later reads. */
    long get(int offset) {
        long value = NativeMemory.getLongVolatile(address + offset);
        keepUntilHere();
        return value;
    }

    /** Writes a word atomically, ordered after all earlier writes. */
    void put(int offset, long value) {
        NativeMemory.putLongVolatile(address + offset, value);
        keepUntilHere();
    }

    /** Writes a word atomically, ordered after all earlier writes but not before later reads. */
    void putRelease(int offset, long value) {
        NativeMemory.putLongRelease(address + offset, value);
        keepUntilHere();
    }

    /** Compares and exchanges a word, atomically across all processes; returns the previous value. */
    long compareAndExchange(int offset, long expected, long value) {
        long found = NativeMemory.compareAndExchangeLong(address + offset, expected, value);
        keepUntilHere();
        return found;
    }

    /**
     * Keeps the memory mapped until here. Call it after accesses by address, because an address alone keeps nothing
     * alive.
     */
    @SuppressWarnings("ReachabilityFenceUsage") // code that throws makes no further accesses
    void keepUntilHere() {
        Reference.reachabilityFence(this);
    }

    /**
     * Returns the pages from an offset on to the system. Every process that has mapped the memory reads zeros there
     * afterwards, so call it only when nobody reads the memory any more. The mapping itself ends when nothing refers to
     * it.
     */
    void discard(int from) {
        kernel.madvise(address + from, buffer.capacity() - from, MADV_REMOVE);
        keepUntilHere();
    }

    /** {@return the descriptor through which others open it; -1 if it belongs to another process or is closed} */
    synchronized int fd() {
        return fd;
    }

    /** Prevents others from opening the memory. Existing mappings stay until nothing refers to them. */
    @Override
    public synchronized void close() {
        if (fd >= 0) {
            kernel.close(fd);
            fd = -1;
        }
    }
}
