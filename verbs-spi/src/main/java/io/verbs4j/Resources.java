/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Closes resources in the reverse order of opening, because no verbs object can be closed while another one uses it. It
 * does for a class with several objects what {@code try}-with-resources does for a method.
 *
 * <pre>{@code
 * ProtectionDomain pd = resources.add(context.allocPd());
 * MemoryRegion region = resources.add(pd.regMr(memory, access));
 * WaitingQueue queue = resources.add(new WaitingQueue(context, 64));
 * CmConnection connection = resources.add(CmConnection.connect(...)); // closed first: drains and disconnects
 * }</pre>
 *
 * <p>All methods may be called from any thread. A resource added after {@link #close()} is closed at once. Since level
 * 3.
 */
public final class Resources implements AutoCloseable {
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    /** Threads that are closing a single resource. */
    private final List<Thread> closers = new ArrayList<>();

    private boolean closed;

    /** Creates an instance without resources. */
    public Resources() {}

    /**
     * Adds a resource, which is closed before those added earlier.
     *
     * @param <T> its type
     * @param resource the resource
     * @return the resource
     * @throws VerbsException {@link Errno#EBADF} after {@link #close()}: the resource was closed
     */
    public <T extends AutoCloseable> T add(T resource) {
        Objects.requireNonNull(resource, "resource");
        synchronized (opened) {
            if (!closed) {
                opened.push(resource);
                return resource;
            }
        }
        VerbsException failure = new VerbsException(Errno.EBADF, "add", "the resources are closed");
        RuntimeException more = closed(resource);
        if (more != null) {
            failure.addSuppressed(more);
        }
        throw failure;
    }

    /**
     * Opens a resource and adds it. If opening fails, closes all resources added so far, so that a constructor that
     * uses it leaves nothing open.
     *
     * @param <T> its type
     * @param opener opens the resource
     * @return the resource
     * @throws RuntimeException the exception of the opener, with failures of closing suppressed; {@link VerbsException}
     *     as {@link #add}
     */
    public <T extends AutoCloseable> T open(Supplier<? extends T> opener) {
        T resource;
        try {
            resource = opener.get();
        } catch (RuntimeException | Error e) {
            try {
                close();
            } catch (RuntimeException more) {
                e.addSuppressed(more);
            }
            throw e;
        }
        return add(resource);
    }

    /**
     * Closes one resource now. If that fails, it is not tried again. Does nothing for a resource that was already
     * closed here, or that another thread is closing here.
     *
     * @param resource one that was added
     * @throws RuntimeException the exception of closing it; a checked exception as the cause of an
     *     {@link IllegalStateException}
     */
    public void close(AutoCloseable resource) {
        synchronized (opened) {
            if (!opened.remove(resource)) {
                return;
            }
            closers.add(Thread.currentThread());
        }
        RuntimeException failure;
        try {
            failure = closed(resource);
        } finally {
            synchronized (opened) {
                closers.remove(Thread.currentThread());
                opened.notifyAll();
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /**
     * Closes all resources, the last one first, even if some fail. Waits for resources that other threads are closing
     * here. Closing again does nothing.
     *
     * @throws RuntimeException the first failure, with the others suppressed; a checked exception as the cause of an
     *     {@link IllegalStateException}
     */
    @Override
    public void close() {
        RuntimeException failure = null;
        for (AutoCloseable next = next(); next != null; next = next()) {
            RuntimeException one = closed(next);
            if (failure == null) {
                failure = one;
            } else if (one != null) {
                failure.addSuppressed(one);
            }
        }
        awaitOthers();
        if (failure != null) {
            throw failure;
        }
    }

    private void awaitOthers() {
        boolean interrupted = false;
        synchronized (opened) {
            while (closers.stream().anyMatch(thread -> thread != Thread.currentThread())) {
                try {
                    opened.wait();
                } catch (InterruptedException e) {
                    interrupted = true; // closing a resource ends in bounded time
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private AutoCloseable next() {
        synchronized (opened) {
            closed = true;
            return opened.poll();
        }
    }

    /** Closes a resource; returns the failure, or null. */
    private static RuntimeException closed(AutoCloseable resource) {
        try {
            resource.close();
            return null;
        } catch (RuntimeException e) {
            return e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new IllegalStateException("interrupted while closing " + resource, e);
        } catch (Exception e) {
            return new IllegalStateException("can't close " + resource, e);
        }
    }
}
