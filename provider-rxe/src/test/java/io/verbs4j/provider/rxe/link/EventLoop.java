/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.natives.call.CallSet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** How an event loop outside Java sees a descriptor, for tests of other packages: {@code ppoll(2)}. Thread-safe. */
public final class EventLoop implements AutoCloseable {
    private static final int TIMESPEC = StructBuffer.POLLFD_SIZE;

    /** Binds the calls; skips the test if that is impossible. */
    public EventLoop() {
        String problem = Posix.enter();
        Assumptions.assumeTrue(problem == null, problem);
        problem = Limit.SET.bind();
        Assumptions.assumeTrue(problem == null, problem);
    }

    /** Creates a descriptor like the device's. */
    public EventFd newEventFd() {
        return EventFd.open();
    }

    /** Whether there is something to read now. */
    public boolean isReadable(int fd) {
        return poll(fd, 0) == Posix.POLLIN;
    }

    /** Waits until there is something to read, for at most a minute. */
    public boolean awaitReadable(int fd) {
        return poll(fd, TimeUnit.MINUTES.toSeconds(1)) == Posix.POLLIN;
    }

    /**
     * Whether the number is that of an event descriptor. Another thread may have opened a file with the number of a
     * closed one.
     */
    public boolean isOpen(int fd) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd/" + fd))
                    .toString()
                    .contains("eventfd");
        } catch (NoSuchFileException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the events, such as {@code POLLIN}; 0 if there were none in that time. */
    public int poll(int fd, long seconds) {
        StructBuffer m = new StructBuffer(TIMESPEC + 2 * Long.BYTES);
        m.putInt(0, fd);
        m.putInt(StructBuffer.POLLFD_EVENTS, 0);
        m.putShort(StructBuffer.POLLFD_EVENTS, Posix.POLLIN);
        m.putLong(TIMESPEC, seconds);
        m.putLong(TIMESPEC + Long.BYTES, 0);
        int n = Posix.calls().ppoll(m.address(0), 1, m.address(TIMESPEC), 0);
        m.keepUntilHere();
        return n <= 0 ? n : m.getShort(StructBuffer.POLLFD_REVENTS);
    }

    /** Runs a task while the process cannot open files. */
    public void withoutFiles(Runnable task) {
        StructBuffer limits = new StructBuffer(2 * Long.BYTES);
        Limit.check(Limit.getrlimit(Limit.NOFILE, limits.address(0)));
        long before = limits.getLong(0);
        limits.putLong(0, 0);
        Limit.check(Limit.setrlimit(Limit.NOFILE, limits.address(0)));
        try {
            task.run();
        } finally {
            limits.putLong(0, before);
            Limit.check(Limit.setrlimit(Limit.NOFILE, limits.address(0)));
            limits.keepUntilHere();
        }
    }

    @Override
    public void close() {
        Limit.SET.unbind();
        Posix.exit();
    }

    private static final class Limit {
        static final int NOFILE = 7;

        static final CallSet SET = new CallSet();
        private static final CallSet.Call GETRLIMIT = SET.call("getrlimit");
        private static final CallSet.Call SETRLIMIT = SET.call("setrlimit");

        static int getrlimit(int resource, long limits) {
            return (int) GETRLIMIT.get().call(resource, limits);
        }

        static int setrlimit(int resource, long limits) {
            return (int) SETRLIMIT.get().call(resource, limits);
        }

        static void check(int result) {
            if (result != 0) {
                throw new IllegalStateException("errno " + Posix.calls().errno());
            }
        }
    }
}
