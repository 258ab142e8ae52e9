/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.ring;

import io.verbs4j.natives.lock.SpinLock;
import io.verbs4j.natives.memory.NativeMemory;

/**
 * A port's FIFO of doorbells, which its queue pairs share: a register that takes 8 bytes at a time, and a word in memory that says how far the
 * device has taken them.
 *
 * <pre>
 *  63    56 55        32 31              0
 * |  port  | queue pair | producer index |
 * </pre>
 *
 * <p>One doorbell too many is lost, and the device with it; beyond the back-pressure threshold there is no room. The device's word is one behind
 * (on Gaudi2 it goes from 0 to 1 with the second doorbell that was taken), so one more is taken for pending than is; it is looked at
 * only where the room that was seen before is used up.
 *
 * <p>A doorbell tells of all descriptors up to an index, so that of a queue that finds no room can wait, and the newest is all that it
 * comes to. It goes as soon as there is room: when somebody posts to any queue of the port, or polls any of its completion queues, and,
 * as perhaps nobody does, who posts looks for a short while.
 *
 * <p>Order: descriptors are ordinary memory, the register is not cached, and its store is a release: on x86-64, the only processor that
 * this is written for, nothing before it can be later. The lock keeps doorbells of two threads from overtaking the look at the room.
 */
public final class DoorbellFifo {
    private static final int ENTRY = Long.BYTES;
    private static final int QP = 32; // shift
    private static final int PORT = 56; // shift
    private static final int MOST_QP = 0xff_ffff;
    private static final int SPINS = 500;

    private final long register;
    private final long consumed;
    private final int entries;
    private final int most;
    private final long port;
    private final SpinLock lock = new SpinLock();
    private int pushed;
    private int room; // as far as was seen
    private Bell first; // of those that found no room, in their order
    private Bell last;
    private volatile boolean owing; // whether there are any

    /**
     * An empty one.
     *
     * @param register where doorbells are stored
     * @param consumed where the device's word is
     * @param size in bytes, a power of two
     * @param threshold how many bytes may be pending; 0 where the device does not say
     * @param port its number, from 1
     */
    public DoorbellFifo(long register, long consumed, int size, int threshold, int port) {
        this.register = register;
        this.consumed = consumed;
        this.entries = size / ENTRY;
        this.most = Math.min(threshold == 0 ? entries / 2 : threshold / ENTRY, entries - 1);
        this.port = (long) port << PORT;
    }

    /** A queue's doorbell; what it holds is for those with the FIFO's lock. */
    static final class Bell {
        private Bell next;
        private boolean owed;
        private int qpNum;
        private int producer;
    }

    /** Tells of descriptors up to a producer index: now, or as soon as there is room. */
    void ring(Bell bell, int qpNum, int producer) {
        lock.lock();
        if (first == null && hasRoom()) {
            push(qpNum, producer);
        } else {
            owe(bell, qpNum, producer);
        }
        lock.unlock();
    }

    private boolean hasRoom() {
        if (room > 0) {
            return true;
        }
        room = most - (pushed - NativeMemory.getInt(consumed) & entries - 1);
        return room > 0;
    }

    private void push(int qpNum, int producer) {
        NativeMemory.putLongRelease(register, port | (long) (qpNum & MOST_QP) << QP | producer & 0xffff_ffffL);
        pushed++;
        room--;
    }

    private void owe(Bell bell, int qpNum, int producer) {
        bell.qpNum = qpNum;
        bell.producer = producer;
        append(bell);
        for (int i = 0; i < SPINS && !settled(); i++) {
            Thread.onSpinWait();
        }
    }

    private void append(Bell bell) {
        if (bell.owed) {
            return;
        }
        bell.owed = true;
        if (first == null) {
            first = bell;
        } else {
            last.next = bell;
        }
        last = bell;
        owing = true;
    }

    /** Rings what is owed as far as there is room; whether that is all. */
    private boolean settled() {
        while (first != null && hasRoom()) {
            Bell bell = first;
            first = bell.next;
            bell.next = null;
            bell.owed = false;
            push(bell.qpNum, bell.producer);
        }
        owing = first != null;
        return first == null;
    }

    /** Rings what found no room, if there is some now. */
    void settle() {
        if (owing) {
            lock.lock();
            settled();
            lock.unlock();
        }
    }

    /** A queue's doorbell must not ring any more; whether it was owed. */
    boolean withhold(Bell bell) {
        lock.lock();
        boolean owed = bell.owed;
        if (owed) {
            Bell before = null;
            for (Bell b = first; b != bell; b = b.next) {
                before = b;
            }
            if (before == null) {
                first = bell.next;
            } else {
                before.next = bell.next;
            }
            last = bell == last ? before : last;
            bell.next = null;
            bell.owed = false;
            owing = first != null;
        }
        lock.unlock();
        return owed;
    }

    /** What was owed is again. */
    void restore(Bell bell, int qpNum) {
        lock.lock();
        owe(bell, qpNum, bell.producer);
        lock.unlock();
    }
}
