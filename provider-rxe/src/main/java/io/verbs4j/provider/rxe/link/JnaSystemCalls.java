/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import com.sun.jna.Native;

/** {@link SystemCalls} by JNA's direct mapping, which is what makes a call cheap. */
final class JnaSystemCalls implements SystemCalls {
    @Override
    public String bind() {
        return JnaBinding.bind(JnaSystemCalls.class);
    }

    @Override
    public void unbind() {
        JnaBinding.unbind(JnaSystemCalls.class);
    }

    @Override
    public int errno() {
        return Native.getLastError();
    }

    @Override
    public native int socket(int domain, int type, int protocol);

    @Override
    public native int bind(int fd, long address, int length);

    @Override
    public native int setsockopt(int fd, int level, int option, long value, int length);

    @Override
    public native int getsockopt(int fd, int level, int option, long value, long length);

    @Override
    public native long sendmsg(int fd, long msghdr, int flags);

    @Override
    public native int recvmmsg(int fd, long mmsghdrs, int count, int flags, long timeout);

    @Override
    public native int ppoll(long pollfds, long count, long timespec, long sigmask);

    @Override
    public native int eventfd(int initial, int flags);

    @Override
    public native long read(int fd, long buffer, long length);

    @Override
    public native long write(int fd, long buffer, long length);

    @Override
    public native int close(int fd);
}
