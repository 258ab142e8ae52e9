/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import com.sun.jna.Native;
import io.verbs4j.provider.rxe.share.Kernel;
import io.verbs4j.provider.rxe.share.OneCopy;

/**
 * The system calls that one copy needs, by JNA's direct mapping as those of {@link Posix}. Apart from them: where a C library lacks one,
 * packets go on.
 */
final class ProcessCalls {
    private static int users;

    private ProcessCalls() {}

    /**
     * Binds the calls, for one more user; {@link Posix#enter} has been called, and is in force until after {@link #exit}.
     *
     * @return why they can't be made here; null where they can, and then {@link #exit} is owed
     */
    static synchronized String enter() {
        if (users == 0) {
            String problem = Posix.bind(ProcessCalls.class);
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
            Native.unregister(ProcessCalls.class);
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

    static native long process_vm_readv(
            int pid, long local, long localCount, long remote, long remoteCount, long flags);

    static native int memfd_create(long name, int flags);

    static native int open(long name, int flags);

    static native int fcntl(int fd, int command, long argument);

    static native int madvise(long address, long bytes, int advice);

    /** The calls as the other package wants them, until they are shut: then none is under way, and each fails. */
    static final class Calls extends Gate implements Kernel {
        @Override
        public long readProcess(int pid, long local, long localCount, long remote, long remoteCount) {
            if (!enter()) {
                return -1;
            }
            try {
                return process_vm_readv(pid, local, localCount, remote, remoteCount, 0);
            } finally {
                exit();
            }
        }

        @Override
        public int memfd(long name, int flags) {
            return enter() ? leave(memfd_create(name, flags)) : -1;
        }

        @Override
        public int open(long name, int flags) {
            return enter() ? leave(ProcessCalls.open(name, flags)) : -1;
        }

        @Override
        public int fcntl(int fd, int command, long argument) {
            return enter() ? leave(ProcessCalls.fcntl(fd, command, argument)) : -1;
        }

        @Override
        public int madvise(long address, long bytes, int advice) {
            return enter() ? leave(ProcessCalls.madvise(address, bytes, advice)) : -1;
        }

        @Override
        public int close(int fd) {
            return enter() ? leave(Posix.close(fd)) : -1;
        }

        private int leave(int result) {
            exit();
            return result;
        }

        @Override
        public int errno() {
            return Posix.errno();
        }
    }
}
