/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import io.verbs4j.ExportedFd;
import io.verbs4j.provider.rxe.link.SharedUse;

/** System calls that let a test observe those on another process's memory. */
final class WatchedUse implements SystemUse {
    private final SystemUse real = SharedUse.begin();

    /** Runs before each of those calls, unless null. */
    Runnable before;

    /** The observed calls. */
    private final class WatchedKernel implements Kernel {
        private final Kernel calls = real.kernel();

        private void watch() {
            Runnable task = before;
            if (task != null) {
                task.run();
            }
        }

        @Override
        public long readProcess(int pid, long local, long localCount, long remote, long remoteCount) {
            return calls.readProcess(pid, local, localCount, remote, remoteCount);
        }

        @Override
        public int memfd(long name, int flags) {
            return calls.memfd(name, flags);
        }

        @Override
        public int open(long name, int flags) {
            return calls.open(name, flags);
        }

        @Override
        public int fcntl(int fd, int command, long argument) {
            return calls.fcntl(fd, command, argument);
        }

        @Override
        public int madvise(long address, long bytes, int advice) {
            return calls.madvise(address, bytes, advice);
        }

        @Override
        public long pread(int fd, long buffer, long count, long offset) {
            watch();
            return calls.pread(fd, buffer, count, offset);
        }

        @Override
        public long pwrite(int fd, long buffer, long count, long offset) {
            watch();
            return calls.pwrite(fd, buffer, count, offset);
        }

        @Override
        public int close(int fd) {
            return calls.close(fd);
        }

        @Override
        public int errno() {
            return calls.errno();
        }
    }

    private final Kernel kernel = new WatchedKernel();

    @Override
    public Kernel kernel() {
        return kernel;
    }

    @Override
    public ExportedFd duplicate(String verb, int fd) {
        return real.duplicate(verb, fd);
    }

    @Override
    public int copy(String verb, int fd) {
        return real.copy(verb, fd);
    }

    @Override
    public int keep(int fd) {
        return real.keep(fd);
    }

    @Override
    public void close() {
        real.close();
    }
}
