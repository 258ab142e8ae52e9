/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.call;

import java.util.function.Supplier;

/**
 * Functions of the C library that events, XRC domains and dumps need, as described in sections 2 and 3 of the manual.
 * The numbers are those of Linux on x86-64 and AArch64.
 */
public final class Libc {
    /** Command of {@link #fcntl}: read the flags of the descriptor. */
    public static final int F_GETFD = 1;
    /**
     * Command of {@link #fcntl}: duplicate the descriptor to the lowest free number from the argument on, closed on
     * exec.
     */
    public static final int F_DUPFD_CLOEXEC = 1030;
    /** Command of {@link #fcntl}: read the status flags. */
    public static final int F_GETFL = 3;
    /** Command of {@link #fcntl}: set the status flags. */
    public static final int F_SETFL = 4;
    /** Access mode of {@link #open}: read and write. */
    public static final int O_RDWR = 2;
    /** Flag of {@link #open}: create the file if it does not exist. */
    public static final int O_CREAT = 0x40;
    /** Protection of {@link #mmap}: readable and writable. */
    public static final int PROT_READ_WRITE = 3;
    /** Flag of {@link #mmap}: share the mapping with other processes. */
    public static final int MAP_SHARED = 1;
    /** Status flag of a descriptor: reads do not block. */
    public static final int O_NONBLOCK = 0x800;
    /** Flag of {@link #open} and {@link #epoll_create1}: close the descriptor on exec. */
    public static final int CLOEXEC = 0x80000;
    /** Operation of {@link #epoll_ctl}: add a descriptor. */
    public static final int EPOLL_CTL_ADD = 1;
    /** Operation of {@link #epoll_ctl}: remove a descriptor. */
    public static final int EPOLL_CTL_DEL = 2;
    /** Operation of {@link #epoll_ctl}: change the events of a descriptor. */
    public static final int EPOLL_CTL_MOD = 3;
    /** Event: there is something to read. */
    public static final int EPOLLIN = 1;
    /** Reports the event once, and not again until the next {@link #EPOLL_CTL_MOD}. */
    public static final int EPOLLONESHOT = 1 << 30;

    private static final class Library {
        static final LoadedLibrary LOADED = NativeBinding.libc();

        static LoadedLibrary loaded() {
            return LOADED;
        }
    }

    /** A class of its own, so that nothing is created unless a function is called. */
    private static final class Functions {
        private static final Supplier<LoadedLibrary> LIBRARY = Library::loaded;
        static final Export SYSCALL = new Export(LIBRARY, "syscall");
        static final Export GETPAGESIZE = new Export(LIBRARY, "getpagesize");
        static final Export MMAP = new Export(LIBRARY, "mmap");
        static final Export MUNMAP = new Export(LIBRARY, "munmap");
        static final Export IOCTL = new Export(LIBRARY, "ioctl");
        static final Export FCNTL = new Export(LIBRARY, "fcntl");
        static final Export OPEN = new Export(LIBRARY, "open");
        static final Export CLOSE = new Export(LIBRARY, "close");
        static final Export EPOLL_CREATE1 = new Export(LIBRARY, "epoll_create1");
        static final Export EPOLL_CTL = new Export(LIBRARY, "epoll_ctl");
        static final Export EPOLL_WAIT = new Export(LIBRARY, "epoll_wait");
        static final Export PIPE2 = new Export(LIBRARY, "pipe2");
        static final Export EVENTFD = new Export(LIBRARY, "eventfd");
        static final Export READ = new Export(LIBRARY, "read");
        static final Export WRITE = new Export(LIBRARY, "write");
        static final Export OPEN_MEMSTREAM = new Export(LIBRARY, "open_memstream");
        static final Export FCLOSE = new Export(LIBRARY, "fclose");
        static final Export FREE = new Export(LIBRARY, "free");
    }

    private Libc() {}

    /** {@return the errno of this thread's last failed native call} */
    public static int errno() {
        return NativeBinding.errno();
    }

    public static long syscall(long number, long a, long b, long c) {
        return Functions.SYSCALL.get().call(number, a, b, c);
    }

    public static int getpagesize() {
        return (int) Functions.GETPAGESIZE.get().call(0);
    }

    public static long mmap(long address, long length, int protection, int flags, int fd, long offset) {
        return Functions.MMAP.get().call(address, length, protection, flags, fd, offset);
    }

    public static int munmap(long address, long length) {
        return (int) Functions.MUNMAP.get().call(address, length);
    }

    public static int ioctl(int fd, long request, long argument) {
        return (int) Functions.IOCTL.get().call(fd, request, argument);
    }

    public static int fcntl(int fd, int command, long argument) {
        return (int) Functions.FCNTL.get().call(fd, command, argument);
    }

    public static int open(long path, int flags, int mode) {
        return (int) Functions.OPEN.get().call(path, flags, mode);
    }

    public static int close(int fd) {
        return (int) Functions.CLOSE.get().call(fd);
    }

    public static int epoll_create1(int flags) {
        return (int) Functions.EPOLL_CREATE1.get().call(flags);
    }

    public static int epoll_ctl(int epfd, int operation, int fd, long event) {
        return (int) Functions.EPOLL_CTL.get().call(epfd, operation, fd, event);
    }

    public static int epoll_wait(int epfd, long events, int count, int timeoutMillis) {
        return (int) Functions.EPOLL_WAIT.get().call(epfd, events, count, timeoutMillis);
    }

    public static int pipe2(long ends, int flags) {
        return (int) Functions.PIPE2.get().call(ends, flags);
    }

    public static int eventfd(int initial, int flags) {
        return (int) Functions.EVENTFD.get().call(initial, flags);
    }

    public static long read(int fd, long buffer, long length) {
        return Functions.READ.get().call(fd, buffer, length);
    }

    public static long write(int fd, long buffer, long length) {
        return Functions.WRITE.get().call(fd, buffer, length);
    }

    public static long open_memstream(long pointer, long size) {
        return Functions.OPEN_MEMSTREAM.get().call(pointer, size);
    }

    public static int fclose(long stream) {
        return (int) Functions.FCLOSE.get().call(stream);
    }

    public static void free(long pointer) {
        Functions.FREE.get().call(pointer);
    }
}
