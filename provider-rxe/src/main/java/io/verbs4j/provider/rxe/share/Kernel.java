/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

/** The Linux system calls in use. Memory is passed by address. Thread-safe. */
public interface Kernel {
    /** Copies memory of another process between two iovec arrays; returns the number of bytes, or -1. */
    long readProcess(int pid, long local, long localCount, long remote, long remoteCount);

    /** Creates a memory file; the name is zero-terminated. */
    int memfd(long name, int flags);

    /** Opens a file; the name is zero-terminated. */
    int open(long name, int flags);

    /** Queries or changes a descriptor. */
    int fcntl(int fd, int command, long argument);

    /** Advises the system how to treat memory pages. */
    int madvise(long address, long bytes, int advice);

    /** Reads from an offset of a file into memory; returns the number of bytes, or -1. */
    long pread(int fd, long buffer, long count, long offset);

    /** Writes from memory to an offset of a file; returns the number of bytes, or -1. */
    long pwrite(int fd, long buffer, long count, long offset);

    /** Closes a descriptor. */
    int close(int fd);

    /** Returns the error number of this thread's last call that returned -1. */
    int errno();
}
