/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.provider.rxe.share.Kernel;
import io.verbs4j.provider.rxe.share.OneCopy;

/**
 * The additional system calls that one copy needs. Bound separately from those of {@link Posix}: if a C library lacks
 * one, packets still work.
 */
final class ProcessCalls {
    private static final OneCopyCalls CALLS = new OneCopyCalls();

    private static int users;

    private ProcessCalls() {}

    /**
     * Binds the calls for one more user. The caller must have called {@link Posix#enter}, and may undo that only after
     * {@link #exit}.
     *
     * @return why they are unavailable here; null if they are available, in which case the caller must call {@link
     *     #exit}
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

    /** Ends an {@link #enter}. No call of that user may be in progress. */
    static synchronized void exit() {
        if (--users == 0) {
            CALLS.unbind();
        }
    }

    /**
     * Returns why one copy is unavailable here, whoever the peer is; null if it is available. The caller must have
     * called {@link Posix#enter}.
     */
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

    /**
     * The calls in the form that one copy uses, until they are shut. After that none is in progress, and each fails.
     */
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
