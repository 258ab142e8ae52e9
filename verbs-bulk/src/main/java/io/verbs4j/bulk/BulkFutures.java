/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Futures for the entries of a ring, for programs that can afford allocations:
 *
 * <pre>{@code
 * BulkFutures futures = new BulkFutures(ring, notifications);
 * CompletableFuture<BulkCompletion> put =
 *         futures.submit((r, i, userData) -> r.put(i, peer, buffer, 0, window, 0, length, userData));
 * futures.dispatch(1, TimeUnit.SECONDS); // in a loop, in one thread
 * }</pre>
 *
 * <p>The ring and its user data then belong to this object. With {@link BulkProgress#SERVICE}, any thread may submit,
 * and one thread at a time may dispatch. With {@link BulkProgress#CALLER}, the same thread does both.
 */
public final class BulkFutures {
    /** Fills in an entry. */
    @FunctionalInterface
    public interface Entry {
        /**
         * Fills in an entry with one of the ring's methods.
         *
         * @param ring the ring
         * @param entry slot of the entry
         * @param userData user data to pass to that method
         */
        void fill(BulkRing ring, int entry, long userData);
    }

    private final BulkRing ring;
    private final BulkHandler notifications;
    private final BulkHandler completed = this::completed;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Long, CompletableFuture<BulkCompletion>> waiting = new ConcurrentHashMap<>();
    private long next = 1;

    /**
     * Takes over a ring.
     *
     * @param ring the ring, without entries in flight
     * @param notifications called by {@link #dispatch} for notifications from peers
     */
    public BulkFutures(BulkRing ring, BulkHandler notifications) {
        this.ring = ring;
        this.notifications = notifications;
    }

    /**
     * Submits an entry. Do not set {@link BulkFlags#QUIET} on it: its future would not complete.
     *
     * @param entry fills in the entry
     * @return the future of its final completion. It fails with a {@link VerbsException} that carries the completion's
     *     errno, or {@link Errno#EAGAIN} if the ring is full: call {@link #dispatch} first
     */
    public CompletableFuture<BulkCompletion> submit(Entry entry) {
        CompletableFuture<BulkCompletion> future = new CompletableFuture<>();
        lock.lock();
        try {
            int place = ring.next();
            if (place < 0) {
                future.completeExceptionally(new VerbsException(
                        Errno.EAGAIN, "bulk_submit", "the submission ring is full; dispatch, then submit again"));
                return future;
            }
            long userData = next++;
            waiting.put(userData, future);
            entry.fill(ring, place, userData);
            ring.submit();
        } finally {
            lock.unlock();
        }
        return future;
    }

    /**
     * Waits for completions and completes their futures in this thread.
     *
     * @param timeout maximum time to wait; 0 does not wait
     * @param unit its unit
     * @return the number of completions and notifications
     */
    public int dispatch(long timeout, TimeUnit unit) {
        boolean unused = ring.await(timeout, unit);
        return ring.handle(completed);
    }

    private void completed(long userData, long result, int flags, int peer, long value) {
        if ((flags & BulkResult.NOTIFY_ARRIVED) != 0) {
            notifications.completed(userData, result, flags, peer, value);
            return;
        }
        CompletableFuture<BulkCompletion> future = waiting.remove(userData);
        if (future == null) {
            return;
        }
        if (result >= 0) {
            future.complete(new BulkCompletion(result, flags, value));
        } else {
            String partial = (flags & BulkResult.PARTIAL) == 0 ? "" : " after " + value + " bytes";
            future.completeExceptionally(new VerbsException(
                    (int) -result, "bulk", "peer " + peer + ": " + BulkResult.toString(result) + partial));
        }
    }
}
