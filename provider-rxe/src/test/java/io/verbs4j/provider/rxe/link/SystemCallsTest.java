/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Failing system calls report the reason, however they are made. */
class SystemCallsTest {
    private static final int EBADF = 9;
    private static final int EFAULT = 14;
    private static final int ENOTSOCK = 88;
    private static final int EAFNOSUPPORT = 97;
    private static final int NO_DESCRIPTOR = 999_999;
    private static final int NO_FAMILY = 999;
    private static final int F_GETFD = 1;
    private static final int IOVEC = 16;

    private final ProcessCalls.Calls oneCopy = new ProcessCalls.Calls();

    @BeforeEach
    void enter() {
        String problem = Posix.enter();
        assumeTrue(problem == null, problem);
        problem = ProcessCalls.enter();
        assumeTrue(problem == null, problem);
    }

    @AfterEach
    void exit() {
        oneCopy.shut();
        ProcessCalls.exit();
        Posix.exit();
    }

    private static void assertFailed(long result, int errno) {
        assertThat(result).isEqualTo(-1);
        assertThat(Posix.calls().errno()).isEqualTo(errno);
    }

    /** One after another, so that none reports the errno of the previous one. */
    @Test
    void eachCallHasItsOwnErrorNumber() {
        SystemCalls calls = Posix.calls();
        int file = calls.eventfd(0, Posix.EFD_NONBLOCK | Posix.EFD_CLOEXEC);
        StructBuffer m = new StructBuffer(IOVEC);
        try {
            assertFailed(calls.socket(NO_FAMILY, Posix.SOCK_DGRAM, 0), EAFNOSUPPORT);
            assertFailed(calls.read(file, m.address(0), Long.BYTES), Posix.EAGAIN);
            assertFailed(calls.write(NO_DESCRIPTOR, m.address(0), Long.BYTES), EBADF);
            assertFailed(calls.sendmsg(file, m.address(0), 0), ENOTSOCK);
            assertFailed(calls.recvmmsg(NO_DESCRIPTOR, m.address(0), 1, Posix.MSG_DONTWAIT, 0), EBADF);
            assertFailed(calls.setsockopt(file, Posix.SOL_SOCKET, Posix.SO_RCVBUF, m.address(0), 4), ENOTSOCK);
            assertFailed(calls.ppoll(0, 1, 0, 0), EFAULT);
            assertFailed(calls.bind(NO_DESCRIPTOR, m.address(0), IOVEC), EBADF);
        } finally {
            calls.close(file);
        }
        m.keepUntilHere();
    }

    @Test
    void missingMemoryOfProcessIsReported() {
        StructBuffer own = new StructBuffer(2 * IOVEC);
        own.putLong(0, own.address(IOVEC));
        own.putLong(Long.BYTES, Long.BYTES);
        StructBuffer none = new StructBuffer(IOVEC);
        none.putLong(0, 1);
        none.putLong(Long.BYTES, Long.BYTES);
        int self = (int) ProcessHandle.current().pid();
        assertFailed(oneCopy.readProcess(self, own.address(0), 1, none.address(0), 1), EFAULT);
        assertFailed(oneCopy.fcntl(NO_DESCRIPTOR, F_GETFD, 0), EBADF);
        assertThat(oneCopy.readProcess(self, own.address(0), 1, own.address(0), 1))
                .isEqualTo(Long.BYTES);
        own.keepUntilHere();
        none.keepUntilHere();
    }
}
