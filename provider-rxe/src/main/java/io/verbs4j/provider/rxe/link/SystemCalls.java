/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.natives.call.CallSet;
import io.verbs4j.natives.call.NativeBinding;

/** Linux system calls. They take only primitives, with addresses for pointers, so that a call allocates nothing. */
final class SystemCalls {
    private static final CallSet SET = new CallSet();
    private static final CallSet.Call SOCKET = SET.call("socket");
    private static final CallSet.Call BIND = SET.call("bind");
    private static final CallSet.Call SETSOCKOPT = SET.call("setsockopt");
    private static final CallSet.Call GETSOCKOPT = SET.call("getsockopt");
    private static final CallSet.Call SENDMSG = SET.callOften("sendmsg");
    private static final CallSet.Call RECVMMSG = SET.callOften("recvmmsg");
    private static final CallSet.Call PPOLL = SET.callOften("ppoll");
    private static final CallSet.Call EVENTFD = SET.call("eventfd");
    private static final CallSet.Call READ = SET.callOften("read");
    private static final CallSet.Call WRITE = SET.callOften("write");
    private static final CallSet.Call CLOSE = SET.call("close");

    /**
     * Binds the calls. Not done by a class initializer, because machines that lack the prerequisites load these classes
     * as well.
     *
     * @return why they are unavailable here, and what to do; null if they are available
     */
    String bind() {
        return SET.bind();
    }

    /** Undoes a successful {@link #bind}. No call may be in progress. */
    void unbind() {
        SET.unbind();
    }

    /** {@return the error number of this thread's last call that returned -1} */
    int errno() {
        return NativeBinding.errno();
    }

    int socket(int domain, int type, int protocol) {
        return (int) SOCKET.get().call(domain, type, protocol);
    }

    int bind(int fd, long address, int length) {
        return (int) BIND.get().call(fd, address, length);
    }

    int setsockopt(int fd, int level, int option, long value, int length) {
        return (int) SETSOCKOPT.get().call(fd, level, option, value, length);
    }

    int getsockopt(int fd, int level, int option, long value, long length) {
        return (int) GETSOCKOPT.get().call(fd, level, option, value, length);
    }

    long sendmsg(int fd, long msghdr, int flags) {
        return SENDMSG.get().call(fd, msghdr, flags);
    }

    int recvmmsg(int fd, long mmsghdrs, int count, int flags, long timeout) {
        return (int) RECVMMSG.get().call(fd, mmsghdrs, count, flags, timeout);
    }

    int ppoll(long pollfds, long count, long timespec, long sigmask) {
        return (int) PPOLL.get().call(pollfds, count, timespec, sigmask);
    }

    int eventfd(int initial, int flags) {
        return (int) EVENTFD.get().call(initial, flags);
    }

    long read(int fd, long buffer, long length) {
        return READ.get().call(fd, buffer, length);
    }

    long write(int fd, long buffer, long length) {
        return WRITE.get().call(fd, buffer, length);
    }

    int close(int fd) {
        return (int) CLOSE.get().call(fd);
    }
}
