/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

/** The system calls of Linux that are needed. Memory is given by its address. Any thread may call. */
public interface Kernel {
    /** Copies memory of another process: two arrays of iovec; answers the bytes, or -1. */
    long readProcess(int pid, long local, long localCount, long remote, long remoteCount);

    /** Makes a file in memory; the name ends with a zero. */
    int memfd(long name, int flags);

    /** Opens a file by a name that ends with a zero. */
    int open(long name, int flags);

    /** Asks or tells something about a descriptor. */
    int fcntl(int fd, int command, long argument);

    /** Tells the system what is to become of pages of memory. */
    int madvise(long address, long bytes, int advice);

    /** Reads from a place of a file to memory; returns the bytes, or -1. */
    long pread(int fd, long buffer, long count, long offset);

    /** Writes from memory to a place of a file; returns the bytes, or -1. */
    long pwrite(int fd, long buffer, long count, long offset);

    /** Closes a descriptor. */
    int close(int fd);

    /** The error number of this thread's last call that answered -1. */
    int errno();
}
