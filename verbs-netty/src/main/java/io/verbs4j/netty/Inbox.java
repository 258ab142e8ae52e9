/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import java.util.ArrayDeque;

/**
 * The received messages that a connection's channel has not read yet, and the credits that the peer gets for those that
 * were read. Belongs to the loop's thread.
 */
final class Inbox {
    private final ArrayDeque<Slot> unread = new ArrayDeque<>();
    private final Slab slab;
    private final Receives receives;
    private final SendQueue queue;
    private final int maxWindow;

    /** The peer has no credits left. */
    private boolean wanting;

    private boolean ended;
    private boolean shut;

    Inbox(Slab slab, Receives receives, SendQueue queue, int maxWindow) {
        this.slab = slab;
        this.receives = receives;
        this.queue = queue;
        this.maxWindow = maxWindow;
    }

    /** A message has come. */
    void add(Slot slot, int length, int immediate) {
        queue.credit(immediate);
        wanting |= (immediate & Wire.WANTING) != 0;
        ended |= (immediate & Wire.END) != 0;
        if (length == 0 || shut) {
            receives.put(slot);
            if (length != 0) {
                queue.owe(1);
            }
        } else {
            slot.length = length;
            slot.read = 0;
            unread.addLast(slot);
        }
    }

    boolean isEmpty() {
        return unread.isEmpty();
    }

    /** {@return whether the peer has sent its last message} */
    boolean isEnded() {
        return ended;
    }

    /** {@return the first message that was not read, or null} */
    Slot first() {
        return unread.peekFirst();
    }

    /** The first message has been read; the peer may send another one. */
    void releaseFirst() {
        receives.put(unread.pollFirst());
        queue.owe(1);
    }

    /** The first message is the program's from now on. {@return whether another receive could take its place} */
    boolean replaceFirst() {
        if (!slab.mayLend() || !receives.replace(unread.peekFirst())) {
            return false;
        }
        unread.pollFirst();
        queue.owe(1);
        return true;
    }

    /** Drops what is unread, and all that comes. */
    void shut() {
        shut = true;
        while (!unread.isEmpty()) {
            releaseFirst();
        }
    }

    /** Gives the peer more credits where it needs them, and returns those that are owed when they are many. */
    void returnCredits() {
        if (wanting && unread.isEmpty()) {
            wanting = false;
            int more = Math.min(receives.window(), maxWindow - receives.window());
            if (more > 0 && receives.widen(more)) {
                queue.owe(more);
            }
        }
        if (queue.owed() >= Math.max(1, receives.window() / 2)) {
            queue.returnCredits();
        }
    }

    /** Lets go of all memory; the queue pair is closed. */
    void clear() {
        while (!unread.isEmpty()) {
            receives.failed(unread.pollFirst()); // nothing can be posted any more
        }
    }
}
