/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm;

import io.verbs4j.Errno;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import io.verbs4j.cm.spi.CmEndpoint;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits until the send queue of a connection is drained, no matter who polls its completion queue. */
final class SendDrain {
    private static final long SHORTEST_PAUSE = TimeUnit.MICROSECONDS.toNanos(20);
    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(2);

    private final CmId id;
    private final QueuePair qp;
    private final BooleanSupplier disconnected;

    /** Drains the queue pair of an id; {@code disconnected} reports that waiting is pointless. */
    SendDrain(CmId id, BooleanSupplier disconnected) {
        this.id = id;
        this.qp = id.queuePair();
        this.disconnected = disconnected;
    }

    /**
     * Waits until the peer has acknowledged everything that was accepted so far.
     *
     * @param nanos longest time to wait
     * @return what may have been lost, or null if nothing was
     */
    VerbsException await(long nanos) {
        if (qp == null || nanos <= 0 || disconnected.getAsBoolean()) {
            return null; // a disconnected peer receives nothing any more, and completions report what it missed
        }
        CmEndpoint end = id.endpoint();
        long failed = end.failedSends(qp); // first, so that failures from here on count
        int under = end.unfinishedSends(qp);
        if (under == 0) {
            return null;
        }
        if (under < 0) {
            return new VerbsException(
                    Errno.EOPNOTSUPP,
                    "close",
                    "the device does not report whether send requests of " + qp + " to " + id.peerAddress()
                            + " are outstanding, and closing loses those: poll the completion of the last one before"
                            + " closing, and call drainTime(0, ...)");
        }
        long limit = System.nanoTime() + nanos;
        long pause = SHORTEST_PAUSE;
        while (true) {
            int left = end.unfinishedSends(qp);
            long lost = end.failedSends(qp) - failed;
            if (lost > 0) {
                boolean over = disconnected.getAsBoolean();
                return lost(
                        lost,
                        over ? Errno.ECONNRESET : Errno.EIO,
                        over ? "the peer disconnected" : "the queue pair failed, see their completions");
            }
            if (left <= 0) {
                return null;
            }
            if (Thread.currentThread().isInterrupted()) {
                return lost(left, Errno.EINTR, "the thread was interrupted");
            }
            if (System.nanoTime() - limit >= 0) {
                return lost(
                        left,
                        Errno.ETIMEDOUT,
                        "not within " + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms, see drainTime");
            }
            LockSupport.parkNanos(this, pause);
            pause = Math.min(2 * pause, LONGEST_PAUSE);
        }
    }

    private VerbsException lost(long count, int errno, String why) {
        return new VerbsException(
                errno,
                "close",
                (count == CmEndpoint.UNCOUNTED
                                ? "send requests"
                                : count + (count == 1 ? " send request" : " send requests"))
                        + " of " + qp + " to " + id.peerAddress()
                        + " not acknowledged by the peer, and possibly lost: " + why);
    }
}
