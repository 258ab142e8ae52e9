/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import java.util.ArrayDeque;

/**
 * The received messages that a connection's channel has not read yet, and the credits that reading them returns to the
 * peer. Belongs to the loop's thread.
 */
final class Inbox {
    private final ArrayDeque<Slot> unread = new ArrayDeque<>();
    private final Slab slab;
    private final Receives receives;
    private final SendQueue queue;
    private final int maxWindow;

    /** Whether the peer has no credits left. */
    private boolean wanting;

    private boolean ended;
    private boolean shut;

    Inbox(Slab slab, Receives receives, SendQueue queue, int maxWindow) {
        this.slab = slab;
        this.receives = receives;
        this.queue = queue;
        this.maxWindow = maxWindow;
    }

    /** Adds a received message. */
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

    /** {@return the first unread message, or null} */
    Slot first() {
        return unread.peekFirst();
    }

    /** Removes the first message after it was read, so that the peer may send another one. */
    void releaseFirst() {
        receives.put(unread.pollFirst());
        queue.owe(1);
    }

    /** Lends the first message to the program. {@return whether another receive could take its place} */
    boolean replaceFirst() {
        if (!slab.mayLend() || !receives.replace(unread.peekFirst())) {
            return false;
        }
        unread.pollFirst();
        queue.owe(1);
        return true;
    }

    /** Drops all unread messages, and all that arrive later. */
    void shut() {
        shut = true;
        while (!unread.isEmpty()) {
            releaseFirst();
        }
    }

    /** Gives the peer more credits if it needs them, and returns owed credits once there are many. */
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

    /** Releases all memory; the queue pair is closed. */
    void clear() {
        while (!unread.isEmpty()) {
            receives.failed(unread.pollFirst()); // nothing can be posted any more
        }
    }
}
