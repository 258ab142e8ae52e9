/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Posts send requests in the order given: now, or as soon as the send queue has room. The number of waiting requests is
 * limited; a request beyond the limit is rejected so that the program slows down.
 *
 * <pre>{@code
 * int errno = sends.post(request); // 0: posted, or it waits; EAGAIN: slow down
 * ...
 * sends.advance();                 // after completions of the send queue were polled
 * }</pre>
 *
 * <p>A waiting request is a copy, so the caller may reuse its object at once. The memory that it refers to, inline data
 * included, is read when the request is posted, and address handles, windows, {@code mwBind} and {@code fastRegister}
 * must stay valid until then. Completions make room: set the signaled flag on the last of every few requests. When the
 * queue pair enters state ERR, the next {@link #advance} posts the waiting requests, which complete with
 * {@link WcStatus#WR_FLUSH_ERR} like all others.
 *
 * <p>All methods may be called from any thread. Allocates nothing but the copies, which are created once. Requests
 * posted to the queue pair by other means overtake waiting ones. Since level 3.
 */
public final class WaitingSends {
    private final QueuePair qp;
    private final SendWorkRequest[] ring;
    private int first;
    private int count;
    private long refusedWrId;

    /**
     * Creates an instance for a queue pair; no request waits.
     *
     * @param qp the queue pair
     * @param most maximum number of waiting requests, at least 1
     * @throws VerbsException {@link Errno#EINVAL} for null or a number below 1
     */
    public WaitingSends(QueuePair qp, int most) {
        if (qp == null || most < 1) {
            throw new VerbsException(Errno.EINVAL, "post_send", qp == null ? "qp is null" : "most is " + most);
        }
        this.qp = qp;
        this.ring = new SendWorkRequest[most];
    }

    /**
     * Posts a request, or queues it until there is room.
     *
     * @param wr one request: {@link SendWorkRequest#next()} is null
     * @return 0 if the request is posted or waits; {@link Errno#EAGAIN} if the maximum number waits already;
     *     {@link Errno#EINVAL} for null or a list; otherwise as {@link QueuePair#postSend(SendWorkRequest)}. Unless it
     *     returns 0, the request is neither posted nor waiting
     */
    public synchronized int post(SendWorkRequest wr) {
        if (wr == null || wr.next() != null) {
            return Errno.EINVAL;
        }
        if (count == 0) {
            int errno = qp.postSend(wr);
            if (errno != Errno.ENOMEM) {
                return errno;
            }
        }
        if (count == ring.length) {
            return Errno.EAGAIN;
        }
        try {
            int at = (first + count) % ring.length;
            if (ring[at] == null) {
                ring[at] = new SendWorkRequest();
            }
            ring[at].copy(wr);
        } catch (OutOfMemoryError e) {
            return Errno.ENOMEM;
        } catch (NullPointerException e) {
            return Errno.EINVAL; // an element is null
        }
        count++;
        return 0;
    }

    /**
     * Posts as many waiting requests as there is room for. Call it after polling completions of the send queue.
     *
     * @return 0; or the errno of a request that was rejected for a reason other than a full queue: that request is
     *     dropped, {@link #refusedWrId()} returns its id, and those behind it wait for the next call
     */
    public synchronized int advance() {
        while (count > 0) {
            SendWorkRequest wr = ring[first];
            int errno = qp.postSend(wr);
            if (errno == Errno.ENOMEM) {
                return 0;
            }
            forgetFirst();
            if (errno != 0) {
                refusedWrId = wr.wrId();
                return errno;
            }
        }
        return 0;
    }

    private void forgetFirst() {
        ring[first]
                .ah(null)
                .mw(null)
                .mwBind(null)
                .fastRegister(null)
                .waitCq(null)
                .enableQp(null);
        first = (first + 1) % ring.length;
        count--;
    }

    /** {@return the number of waiting requests} */
    public synchronized int waiting() {
        return count;
    }

    /** {@return the id of the request that the last failed {@link #advance} dropped; 0 if there was none} */
    public synchronized long refusedWrId() {
        return refusedWrId;
    }

    /**
     * Drops the waiting requests.
     *
     * @return the number of requests dropped
     */
    public synchronized int clear() {
        int waited = count;
        while (count > 0) {
            forgetFirst();
        }
        return waited;
    }

    /** {@return the queue pair that it posts to} */
    public QueuePair qp() {
        return qp;
    }

    @Override
    public synchronized String toString() {
        return count + " sends wait for " + qp;
    }
}
