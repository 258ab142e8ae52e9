/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

/** The system calls that one copy needs; else as {@link SystemCalls}, whose {@link SystemCalls#errno} is theirs. */
interface OneCopyCalls {
    /** As {@link SystemCalls#bind()}. */
    String bind();

    /** As {@link SystemCalls#unbind}. */
    void unbind();

    long process_vm_readv(int pid, long local, long localCount, long remote, long remoteCount, long flags);

    int memfd_create(long name, int flags);

    int open(long name, int flags);

    int fcntl(int fd, int command, long argument);

    int madvise(long address, long bytes, int advice);

    /** Its error number is not kept. */
    long pread(int fd, long buffer, long count, long offset);

    /** Its error number is not kept. */
    long pwrite(int fd, long buffer, long count, long offset);
}
