/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.call;

import com.sun.jna.Native;
import com.sun.jna.Platform;

/**
 * The functions of the C library that events and XRC domains need, each as its man page in section 2 tells. The numbers are
 * those of Linux, the same on x86-64 and AArch64.
 */
public final class Libc {
    /** Command of {@link #fcntl}: read the status flags. */
    public static final int F_GETFL = 3;
    /** Command of {@link #fcntl}: set the status flags. */
    public static final int F_SETFL = 4;
    /** Access of {@link #open}. */
    public static final int O_RDWR = 2;
    /** Flag of {@link #open}: make the file where it is not there. */
    public static final int O_CREAT = 0x40;
    /** Protection of {@link #mmap}: it can be read and written. */
    public static final int PROT_READ_WRITE = 3;
    /** Flag of {@link #mmap}. */
    public static final int MAP_SHARED = 1;
    /** Flag of a descriptor: reads do not wait. */
    public static final int O_NONBLOCK = 0x800;
    /** Flag of {@link #open} and {@link #epoll_create1}: the descriptor does not go on to programs that are started. */
    public static final int CLOEXEC = 0x80000;
    /** Operation of {@link #epoll_ctl}. */
    public static final int EPOLL_CTL_ADD = 1;
    /** Operation of {@link #epoll_ctl}. */
    public static final int EPOLL_CTL_DEL = 2;
    /** Operation of {@link #epoll_ctl}. */
    public static final int EPOLL_CTL_MOD = 3;
    /** Event: there is something to read. */
    public static final int EPOLLIN = 1;
    /** Told once, and then not again before the next {@link #EPOLL_CTL_MOD}. */
    public static final int EPOLLONESHOT = 1 << 30;

    static {
        Native.register(Libc.class, Platform.C_LIBRARY_NAME);
    }

    private Libc() {}

    /** The error number of this thread's last native call that failed. */
    public static int errno() {
        return Native.getLastError();
    }

    public static native long syscall(long number, long a, long b, long c);

    public static native int getpagesize();

    public static native long mmap(long address, long length, int protection, int flags, int fd, long offset);

    public static native int munmap(long address, long length);

    public static native int ioctl(int fd, long request, long argument);

    public static native int fcntl(int fd, int command, long argument);

    public static native int open(long path, int flags, int mode);

    public static native int close(int fd);

    public static native int epoll_create1(int flags);

    public static native int epoll_ctl(int epfd, int operation, int fd, long event);

    public static native int epoll_wait(int epfd, long events, int count, int timeoutMillis);

    public static native int pipe2(long ends, int flags);

    public static native int eventfd(int initial, int flags);

    public static native long read(int fd, long buffer, long length);

    public static native long write(int fd, long buffer, long length);
}
