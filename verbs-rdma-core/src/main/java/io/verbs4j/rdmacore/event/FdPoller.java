/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.event;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.call.Libc;
import io.verbs4j.natives.lock.Nap;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.layout.EpollEventLayout;
import java.lang.System.Logger;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The one thread that polls file descriptors, for all channels and contexts of the JVM. A Java thread that blocks in a
 * native read can be neither interrupted nor ended by a close; one that waits for this thread can.
 *
 * <p>The thread runs as long as there is something to watch. Each watch fires once and then sleeps until it is armed
 * again. Thread-safe.
 */
public final class FdPoller {
    private static final boolean X86_64 = "amd64".equals(System.getProperty("os.arch"));

    /** The structure is packed on x86-64 only. */
    private static final int EVENT_SIZE = X86_64 ? EpollEventLayout.SIZEOF_X86_64 : EpollEventLayout.SIZEOF;

    private static final int EVENT_DATA = X86_64 ? EpollEventLayout.DATA_X86_64 : EpollEventLayout.DATA;

    private static final Logger LOG = System.getLogger(FdPoller.class.getName());
    private static final long PAUSE_NANOS = 1_000_000;
    private static final int BATCH = 64;
    private static final long WAKE = 0;
    private static final int EVENTFD_FLAGS = Libc.CLOEXEC | Libc.O_NONBLOCK;

    private static final FdPoller SHARED = new FdPoller();

    private final Map<Long, Watch> watches = new ConcurrentHashMap<>();
    private long lastId = WAKE;
    private int epoll = -1;
    private int wakeFd = -1;

    private FdPoller() {}

    /** {@return the poller of this JVM} */
    public static FdPoller shared() {
        return SHARED;
    }

    /**
     * Adds a watch for a descriptor; it sleeps until it is armed.
     *
     * @param fd descriptor, which must stay open until the watch is closed
     * @param onReadable called on the poller's thread; must not block
     */
    public synchronized Watch watch(int fd, Runnable onReadable) {
        if (watches.isEmpty()) {
            start();
        }
        Watch watch = new Watch(++lastId, fd, onReadable);
        watches.put(watch.id, watch);
        try {
            control(Libc.EPOLL_CTL_ADD, fd, Libc.EPOLLONESHOT, watch.id);
        } catch (VerbsException e) {
            remove(watch);
            throw e;
        }
        return watch;
    }

    private void start() {
        int newEpoll = Libc.epoll_create1(Libc.CLOEXEC);
        if (newEpoll < 0) {
            throw failed("epoll_create1");
        }
        int newWakeFd = Libc.eventfd(0, EVENTFD_FLAGS);
        if (newWakeFd < 0) {
            VerbsException e = failed("eventfd");
            Libc.close(newEpoll);
            throw e;
        }
        epoll = newEpoll;
        wakeFd = newWakeFd;
        boolean started = false;
        try {
            control(Libc.EPOLL_CTL_ADD, wakeFd, Libc.EPOLLIN, WAKE);
            Thread thread = new Thread(() -> run(newEpoll, newWakeFd), "verbs4j-events");
            thread.setDaemon(true);
            thread.start();
            started = true;
        } finally {
            if (!started) { // no descriptor, memory or thread left: undo everything
                epoll = -1;
                wakeFd = -1;
                Libc.close(newWakeFd);
                Libc.close(newEpoll);
            }
        }
    }

    private synchronized void remove(Watch watch) {
        if (watches.remove(watch.id) == null) {
            return;
        }
        try (Scratch event = new Scratch(EVENT_SIZE)) {
            Libc.epoll_ctl(epoll, Libc.EPOLL_CTL_DEL, watch.fd, event.address());
        }
        if (watches.isEmpty()) {
            try (Scratch one = new Scratch(Long.BYTES)) {
                NativeMemory.putLong(one.address(), 1);
                Libc.write(wakeFd, one.address(), Long.BYTES);
            }
            epoll = -1; // the thread closes both
            wakeFd = -1;
        }
    }

    private void control(int operation, int fd, int events, long id) {
        try (Scratch event = new Scratch(EVENT_SIZE)) {
            NativeMemory.putInt(event.address() + EpollEventLayout.EVENTS, events);
            NativeMemory.putLong(event.address() + EVENT_DATA, id);
            if (Libc.epoll_ctl(epoll, operation, fd, event.address()) != 0) {
                throw failed("epoll_ctl");
            }
        }
    }

    private void run(int epollFd, int wake) {
        try (Scratch events = new Scratch(BATCH * EVENT_SIZE)) {
            boolean more = true;
            while (more) {
                int n = Libc.epoll_wait(epollFd, events.address(), BATCH, -1);
                for (int i = 0; i < n; i++) {
                    long id = NativeMemory.getLong(events.address() + (long) i * EVENT_SIZE + EVENT_DATA);
                    if (id == WAKE) {
                        more = false;
                    } else {
                        tell(id);
                    }
                }
            }
        } finally {
            Libc.close(wake);
            Libc.close(epollFd);
        }
    }

    /**
     * Runs a watch's callback. An exception does not end the thread, which all others need. After an OutOfMemoryError
     * the callback runs again.
     */
    private void tell(long id) {
        boolean lacksMemory;
        do {
            lacksMemory = false;
            try {
                Watch watch = watches.get(id); // needs memory: boxes the id
                if (watch != null) {
                    watch.onReadable.run();
                }
            } catch (OutOfMemoryError e) {
                lacksMemory = true;
                Nap.nanos(PAUSE_NANOS);
            } catch (Throwable e) {
                LOG.log(Logger.Level.ERROR, "a callback for an event failed", e);
            }
        } while (lacksMemory);
    }

    private static VerbsException failed(String call) {
        int errno = Libc.errno();
        String hint = errno == Errno.EMFILE ? "; raise the limit of open files (ulimit -n)" : "";
        return new VerbsException(errno, "get_event", call + " failed while waiting for events" + hint);
    }

    /** A watched descriptor. */
    public final class Watch implements AutoCloseable {
        private final long id;
        private final int fd;
        private final Runnable onReadable;

        private Watch(long id, int fd, Runnable onReadable) {
            this.id = id;
            this.fd = fd;
            this.onReadable = onReadable;
        }

        /** Arms the watch: it fires once when there is something to read, even if there is already. */
        public void arm() {
            synchronized (FdPoller.this) {
                if (watches.containsKey(id)) {
                    control(Libc.EPOLL_CTL_MOD, fd, Libc.EPOLLIN | Libc.EPOLLONESHOT, id);
                }
            }
        }

        /** Ends the watch; call it before the descriptor is closed. */
        @Override
        public void close() {
            remove(this);
        }
    }
}
