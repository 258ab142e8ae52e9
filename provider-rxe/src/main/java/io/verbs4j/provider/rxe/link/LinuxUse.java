/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.Errno;
import io.verbs4j.ExportedFd;
import io.verbs4j.VerbsException;
import io.verbs4j.provider.rxe.share.Kernel;
import io.verbs4j.provider.rxe.share.SystemUse;
import java.util.ArrayList;
import java.util.List;

/** The system calls by which processes share objects. */
final class LinuxUse implements SystemUse {
    private static final int F_DUPFD_CLOEXEC = 1030;

    private final ProcessCalls.Calls calls = new ProcessCalls.Calls();

    /** Descriptors to close with this object. Guarded by this. */
    private final List<Integer> kept = new ArrayList<>();

    private LinuxUse() {}

    /** Begins a use. Throws if the calls are unavailable. */
    static LinuxUse begin(String verb) {
        String problem = Posix.enter();
        if (problem == null) {
            problem = ProcessCalls.enter();
            if (problem != null) {
                Posix.exit();
            }
        }
        if (problem != null) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP, verb, "the embedded device needs system calls to share contexts: " + problem);
        }
        return new LinuxUse();
    }

    @Override
    public Kernel kernel() {
        return calls;
    }

    @Override
    public ExportedFd duplicate(String verb, int fd) {
        String problem = Posix.enter(); // on behalf of the descriptor, which outlives this
        if (problem != null) {
            throw new VerbsException(Errno.EOPNOTSUPP, verb, problem);
        }
        int copy = -1;
        try {
            copy = copy(verb, fd);
        } finally {
            if (copy < 0) {
                Posix.exit();
            }
        }
        return new SharedFd(copy);
    }

    @Override
    public int copy(String verb, int fd) {
        int copy = calls.fcntl(fd, F_DUPFD_CLOEXEC, 0);
        if (copy < 0) {
            throw new VerbsException(
                    calls.errno(),
                    verb,
                    "the process can't open another descriptor; close some or raise the limit (ulimit -n)");
        }
        return copy;
    }

    @Override
    public synchronized int keep(int fd) {
        kept.add(fd);
        return fd;
    }

    @Override
    public void close() {
        if (calls.shut()) {
            closeKept();
            ProcessCalls.exit();
            Posix.exit();
        }
    }

    private synchronized void closeKept() {
        kept.forEach(fd -> Posix.calls().close(fd));
        kept.clear();
    }
}
