/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

/** System calls of Linux: primitives only, so that a call allocates nothing. They take addresses for pointers. */
interface SystemCalls {
    /**
     * Makes the calls possible. Not done by a class initializer: machines that lack what it takes load these classes, too.
     *
     * @return why they can't be made here, and what to do; null where they can
     */
    String bind();

    /** Ends a {@link #bind} that worked; no call may be under way. */
    void unbind();

    /** The error number of this thread's last call that answered -1. */
    int errno();

    int socket(int domain, int type, int protocol);

    int bind(int fd, long address, int length);

    int setsockopt(int fd, int level, int option, long value, int length);

    int getsockopt(int fd, int level, int option, long value, long length);

    long sendmsg(int fd, long msghdr, int flags);

    int recvmmsg(int fd, long mmsghdrs, int count, int flags, long timeout);

    int ppoll(long pollfds, long count, long timespec, long sigmask);

    int eventfd(int initial, int flags);

    long read(int fd, long buffer, long length);

    long write(int fd, long buffer, long length);

    int close(int fd);
}
