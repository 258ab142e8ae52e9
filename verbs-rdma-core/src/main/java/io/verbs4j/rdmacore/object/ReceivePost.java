/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.Errno;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.lock.RingLock;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.marshal.RecvArea;

/** Posts receives to a queue pair or a shared receive queue. Guards the queue: nothing is posted unless it is open. */
final class ReceivePost {
    private static final int BATCH = 32;

    private final NativeFunction function;
    private int maxWr;
    private final int maxSge;
    private final RingLock lock = new RingLock(false);
    private RecvArea area;
    private boolean open;
    private boolean closed;
    private long posted;

    private int leastSge;
    private int longest = Integer.MAX_VALUE;

    /**
     * Creates the post for a queue of {@code maxWr} requests with up to {@code maxSge} elements; both are 0 if there is
     * none.
     *
     * @param function posts; null if the device, or every queue of the type, cannot
     * @param open whether receives can be posted from the start
     */
    ReceivePost(NativeFunction function, int maxWr, int maxSge, boolean open) {
        this.open = open;
        this.function = function;
        this.maxWr = maxWr;
        this.maxSge = maxSge;
    }

    /** Rejects receives without elements, which not all drivers can post. */
    void requireElements() {
        whileNobodyPosts(() -> leastSge = 1);
    }

    /** Notes a changed size of the queue: a list may then be as long as the driver accepts. */
    void resized() {
        whileNobodyPosts(() -> maxWr = Integer.MAX_VALUE);
    }

    /** Limits the length of an element that is passed to the driver, for queues that cannot use more. */
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
        int left = BadWr.mostAtOnce(maxWr);
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
            left -= n;
            area.end(n - 1);
            int error = Answers.errno(function.call(queue, area.first(), area.badWr()));
            if (error != 0) {
                int accepted = area.badIndex();
                posted += accepted;
                return BadWr.tell(BadWr.nth(head, accepted), badWr, error);
            }
            posted += n;
        }
        return 0;
    }

    /** Explains which rule a receive breaks, or returns null if none is known. */
    String broken(RecvWorkRequest wr) {
        int count = wr.numSge();
        if (maxWr == 0) {
            return "the queue was created without receives; ask for some with maxRecvWr";
        }
        if (count > maxSge) {
            return "numSge is " + count + ", but the queue was made for " + maxSge + "; ask for more";
        }
        return count < leastSge
                ? "the device requires an element in each receive; pass one, of 0 bytes if need be"
                : null;
    }

    /** Returns how many receives the driver has accepted. Call it while no thread posts. */
    long posted() {
        return posted;
    }

    /** Sets whether receives can be posted. Call it while no thread posts. */
    void open(boolean value) {
        open = value;
    }

    /** Runs {@code body} while posts wait. Not reentrant. */
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
