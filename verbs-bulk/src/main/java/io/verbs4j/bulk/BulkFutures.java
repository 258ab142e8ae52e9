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
 * Futures for the entries of a ring, for programs that do not count every object:
 *
 * <pre>{@code
 * BulkFutures futures = new BulkFutures(ring, notifications);
 * CompletableFuture<BulkCompletion> put =
 *         futures.submit((r, i, userData) -> r.put(i, peer, buffer, 0, window, 0, length, userData));
 * futures.dispatch(1, TimeUnit.SECONDS); // in a loop, in one thread
 * }</pre>
 *
 * <p>The ring and its user data are the futures' then. With {@link BulkProgress#SERVICE} any thread may submit, and one
 * thread at a time dispatches; with {@link BulkProgress#CALLER} the same thread does both.
 */
public final class BulkFutures {
    /** Fills in an entry. */
    @FunctionalInterface
    public interface Entry {
        /**
         * Fills in an entry by one of the ring's methods.
         *
         * @param ring the ring
         * @param entry place of the entry
         * @param userData to be given to that method
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
     * Takes a ring.
     *
     * @param ring the ring, with no entry under way
     * @param notifications is called by {@link #dispatch} for notifications of peers
     */
    public BulkFutures(BulkRing ring, BulkHandler notifications) {
        this.ring = ring;
        this.notifications = notifications;
    }

    /**
     * Submits an entry. Do not give it {@link BulkFlags#QUIET}: its future would not complete.
     *
     * @param entry fills it in
     * @return its final completion; fails with a {@link VerbsException} of the completion's errno, or of {@link
     *     Errno#EAGAIN} where the ring is full: dispatch first
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
     * Waits for completions, and completes the futures of those that are there, in this thread.
     *
     * @param timeout longest time to wait; 0 only looks
     * @param unit its unit
     * @return how many completions and notifications there were
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
