/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.Errno;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.NativeFunction;
import io.verbs4j.rdmacore.lock.RingLock;
import io.verbs4j.rdmacore.marshal.RecvArea;

/** Posting receives, to a queue pair or to a shared receive queue. Guards the queue: nothing is posted where it is not open. */
final class ReceivePost {
    private static final int BATCH = 32;

    /** More than a queue of any device has. */
    private static final int LARGEST = 1 << 20;

    private final NativeFunction function;
    private final int maxWr;

    /** How many a list may have. */
    private volatile int most;

    private final int maxSge;
    private final RingLock lock = new RingLock(false);
    private RecvArea area;
    private boolean open;
    private boolean closed;
    private long posted;

    private int leastSge;
    private int longest = Integer.MAX_VALUE;

    /**
     * For a queue of so many requests with so many elements; both 0 where there is none.
     *
     * @param function posts; null where the device, or every queue of the type, can't
     * @param open whether receives can be posted at once
     */
    ReceivePost(NativeFunction function, int maxWr, int maxSge, boolean open) {
        this.open = open;
        this.function = function;
        this.maxWr = maxWr;
        this.most = maxWr;
        this.maxSge = maxSge;
    }

    /** Refuses receives without elements, which not all drivers can post. */
    void requireElements() {
        whileNobodyPosts(() -> leastSge = 1);
    }

    /** Tells the driver of no more than so many bytes of an element: of those that can't take more. */
    void limitElements(int bytes) {
        whileNobodyPosts(() -> longest = bytes);
    }

    int post(long queue, RecvWorkRequest first, RecvWorkRequest[] badWr) {
        boolean asOwner = lock.lock();
        try {
            return postLocked(queue, first, badWr);
        } finally {
            lock.unlock(asOwner);
        }
    }

    private int postLocked(long queue, RecvWorkRequest first, RecvWorkRequest[] badWr) {
        if (!open || closed || first == null) {
            return BadWr.tell(first, badWr, Errno.EINVAL);
        }
        if (function == null) {
            return BadWr.tell(first, badWr, Errno.EOPNOTSUPP);
        }
        if (maxWr == 0) {
            return BadWr.tell(first, badWr, Errno.EINVAL);
        }
        if (area == null) {
            area = new RecvArea(Math.min(maxWr, BATCH), maxSge, longest);
        }
        RecvWorkRequest wr = first;
        int left = most; // more is not accepted at once, whatever arrives meanwhile: a list may lead back to itself
        while (wr != null) {
            if (left == 0) {
                return BadWr.tell(wr, badWr, Errno.ENOMEM);
            }
            RecvWorkRequest head = wr;
            int n = 0;
            while (wr != null && n < Math.min(area.capacity(), left) && wr.numSge() >= leastSge && area.put(n, wr)) {
                n++;
                wr = wr.next();
            }
            if (n == 0) {
                return BadWr.tell(wr, badWr, Errno.EINVAL);
            }
            area.end(n - 1);
            int error = Answers.errno(function.call(queue, area.first(), area.badWr()));
            if (error != 0) {
                int accepted = area.badIndex();
                posted += accepted;
                return BadWr.tell(BadWr.nth(head, accepted), badWr, error);
            }
            posted += n;
            left -= n;
        }
        return 0;
    }

    /** The queue has another size from now on, which the device alone knows. */
    void resized() {
        most = LARGEST;
    }

    /** How many the driver has accepted. To be read while nobody posts. */
    long posted() {
        return posted;
    }

    /** Whether receives can be posted from now on. Told while nobody posts. */
    void open(boolean value) {
        open = value;
    }

    /** Keeps posts waiting. It is no lock that a thread could take twice. */
    void whileNobodyPosts(Runnable body) {
        lock.locked(body);
    }

    void close(Runnable destroy) {
        whileNobodyPosts(() -> {
            destroy.run();
            closed = true;
            if (area != null) {
                area.free();
                area = null;
            }
        });
    }
}
