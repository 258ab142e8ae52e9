/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import com.sun.jna.Function;
import com.sun.jna.Memory;

/** A descriptor passed over a Unix-domain socket, as between programs: another number for the same file. */
final class PassedDescriptor implements AutoCloseable {
    private static final int AF_UNIX = 1;
    private static final int SOCK_DGRAM = 2;
    private static final int SOL_SOCKET = 1;
    private static final int SCM_RIGHTS = 1;

    // struct msghdr and struct cmsghdr of Linux with 64-bit pointers
    private static final int MSG_SIZE = 56;
    private static final int MSG_IOV = 16;
    private static final int MSG_IOVLEN = 24;
    private static final int MSG_CONTROL = 32;
    private static final int MSG_CONTROLLEN = 40;
    private static final int CMSG_DATA = 16;
    private static final int CMSG_SPACE = 24;

    final int fd;

    PassedDescriptor(int sent) {
        Memory pair = new Memory(8);
        check(call("socketpair", AF_UNIX, SOCK_DGRAM, 0, pair));
        try (Memory control = new Memory(CMSG_SPACE)) {
            control.clear();
            control.setLong(0, CMSG_DATA + Integer.BYTES);
            control.setInt(8, SOL_SOCKET);
            control.setInt(12, SCM_RIGHTS);
            control.setInt(CMSG_DATA, sent);
            check(exchange("sendmsg", pair.getInt(0), control));
            control.clear();
            check(exchange("recvmsg", pair.getInt(4), control));
            fd = control.getInt(CMSG_DATA);
        } finally {
            close(pair.getInt(0));
            close(pair.getInt(4));
        }
    }

    private static int exchange(String function, int socket, Memory control) {
        try (Memory data = new Memory(1);
                Memory vector = new Memory(16);
                Memory message = new Memory(MSG_SIZE)) {
            data.setByte(0, (byte) 'x');
            vector.setPointer(0, data);
            vector.setLong(8, 1);
            message.clear();
            message.setPointer(MSG_IOV, vector);
            message.setLong(MSG_IOVLEN, 1);
            message.setPointer(MSG_CONTROL, control);
            message.setLong(MSG_CONTROLLEN, CMSG_SPACE);
            return call(function, socket, message, 0);
        }
    }

    private static int call(String function, Object... arguments) {
        return Function.getFunction("c", function).invokeInt(arguments);
    }

    private static void check(int answer) {
        if (answer < 0) {
            throw new AssertionError("a call of the C library failed");
        }
    }

    static void close(int number) {
        call("close", number);
    }

    @Override
    public void close() {
        close(fd);
    }
}
