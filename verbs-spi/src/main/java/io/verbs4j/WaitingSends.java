/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Posts send requests now, or as soon as there is room in the send queue, in the order in which they are given. So many
 * requests wait at most: what is beyond is refused, for the program to slow down.
 *
 * <pre>{@code
 * int errno = sends.post(request); // 0: posted, or it waits; EAGAIN: slow down
 * ...
 * sends.advance();                 // after completions of the send queue were polled
 * }</pre>
 *
 * <p>A request that waits is a copy, so the caller may use its object again at once. The memory that it names, inline
 * data too, is read when the request is posted, and address handles, windows, {@code mwBind} and {@code fastRegister}
 * have to stay until then. Room comes with completions: have the last request of every few signaled. When the queue
 * pair goes to state ERR, waiting requests are posted by the next {@link #advance}, and complete with {@link
 * WcStatus#WR_FLUSH_ERR} as all others do.
 *
 * <p>All methods may be called by any thread. Allocates nothing but the copies, which are made once. Requests that are
 * posted to the queue pair otherwise overtake those that wait. Since level 3.
 */
public final class WaitingSends {
    private final QueuePair qp;
    private final SendWorkRequest[] ring;
    private int first;
    private int count;
    private long refusedWrId;

    /**
     * Makes it for a queue pair; nothing waits.
     *
     * @param qp the queue pair
     * @param most most requests that wait, at least 1
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
     * Posts a request, or lets it wait until there is room.
     *
     * @param wr one request: {@link SendWorkRequest#next()} is null
     * @return 0 if it is posted or waits; {@link Errno#EAGAIN} if as many wait as may; {@link Errno#EINVAL} for null or
     *     a list; otherwise as {@link QueuePair#postSend(SendWorkRequest)}. Neither posted nor waiting then
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
     * Posts requests that wait, as many as there is room for. Call it after completions of the send queue were polled.
     *
     * @return 0; or the errno of a request that was refused for another reason than a full queue: it is dropped, {@link
     *     #refusedWrId()} names it, and those behind it wait for the next call
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

    /** {@return how many requests wait} */
    public synchronized int waiting() {
        return count;
    }

    /** {@return the id of the request that the last failed {@link #advance} dropped; 0 if there was none} */
    public synchronized long refusedWrId() {
        return refusedWrId;
    }

    /**
     * Drops the requests that wait.
     *
     * @return how many there were
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
