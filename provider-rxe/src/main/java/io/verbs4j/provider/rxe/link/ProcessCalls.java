/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.provider.rxe.share.Kernel;
import io.verbs4j.provider.rxe.share.OneCopy;

/** The system calls that one copy needs, of this machine. Apart from those of {@link Posix}: where a C library lacks one, packets go on. */
final class ProcessCalls {
    private static final OneCopyCalls CALLS = new OneCopyCalls();

    private static int users;

    private ProcessCalls() {}

    /**
     * Binds the calls, for one more user; {@link Posix#enter} has been called, and is in force until after {@link #exit}.
     *
     * @return why they can't be made here; null where they can, and then {@link #exit} is owed
     */
    static synchronized String enter() {
        if (users == 0) {
            String problem = CALLS.bind();
            if (problem != null) {
                return problem;
            }
        }
        users++;
        return null;
    }

    /** Ends an {@link #enter}; no call of that user may be under way. */
    static synchronized void exit() {
        if (--users == 0) {
            CALLS.unbind();
        }
    }

    /** Why one copy is not to be had here, whoever the peer is; null where it is. {@link Posix#enter} is in force. */
    static String problem() {
        String problem = enter();
        if (problem != null) {
            return problem;
        }
        Calls calls = new Calls();
        try {
            return OneCopy.problem(calls);
        } finally {
            calls.shut();
            exit();
        }
    }

    /** The calls as the other package wants them, until they are shut: then none is under way, and each fails. */
    static final class Calls extends Gate implements Kernel {
        @Override
        public long readProcess(int pid, long local, long localCount, long remote, long remoteCount) {
            if (!enter()) {
                return -1;
            }
            try {
                return CALLS.process_vm_readv(pid, local, localCount, remote, remoteCount, 0);
            } finally {
                exit();
            }
        }

        @Override
        public int memfd(long name, int flags) {
            return enter() ? leave(CALLS.memfd_create(name, flags)) : -1;
        }

        @Override
        public int open(long name, int flags) {
            return enter() ? leave(CALLS.open(name, flags)) : -1;
        }

        @Override
        public int fcntl(int fd, int command, long argument) {
            return enter() ? leave(CALLS.fcntl(fd, command, argument)) : -1;
        }

        @Override
        public int madvise(long address, long bytes, int advice) {
            return enter() ? leave(CALLS.madvise(address, bytes, advice)) : -1;
        }

        @Override
        public long pread(int fd, long buffer, long count, long offset) {
            if (!enter()) {
                return -1;
            }
            try {
                return CALLS.pread(fd, buffer, count, offset);
            } finally {
                exit();
            }
        }

        @Override
        public long pwrite(int fd, long buffer, long count, long offset) {
            if (!enter()) {
                return -1;
            }
            try {
                return CALLS.pwrite(fd, buffer, count, offset);
            } finally {
                exit();
            }
        }

        @Override
        public int close(int fd) {
            return enter() ? leave(Posix.calls().close(fd)) : -1;
        }

        private int leave(int result) {
            exit();
            return result;
        }

        @Override
        public int errno() {
            return Posix.calls().errno();
        }
    }
}
