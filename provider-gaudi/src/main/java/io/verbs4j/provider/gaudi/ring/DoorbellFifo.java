/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.ring;

import io.verbs4j.natives.lock.SpinLock;
import io.verbs4j.natives.memory.NativeMemory;

/**
 * A port's FIFO of doorbells, which its queue pairs share: a register that takes 8 bytes at a time, and a word in
 * memory with the device's consumer index.
 *
 * <pre>
 *  63    56 55        32 31              0
 * |  port  | queue pair | producer index |
 * </pre>
 *
 * <p>There is no room beyond the back-pressure threshold; one doorbell too many is lost, and breaks the device. The
 * device's word is one behind (on Gaudi2 it goes from 0 to 1 when the second doorbell is consumed), so one more
 * doorbell is assumed to be pending than actually is. The word is read only when the room seen before is used up.
 *
 * <p>A doorbell announces all descriptors up to an index. So a queue that finds no room can wait, and then rings only
 * for the newest index. It rings as soon as there is room and a thread posts to any queue of the port or polls any of
 * its completion queues. In case no thread does, the posting thread itself checks for a short time.
 *
 * <p>Order: descriptors lie in ordinary memory, the register is uncached, and the store to it is a release. On x86-64,
 * the only processor that this is written for, no earlier store can pass it. The lock keeps the check for room and the
 * doorbell of one thread together.
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
    private int room; // as last seen
    private Bell first; // queue of those that found no room
    private Bell last;
    private volatile boolean owing; // whether that queue is not empty

    /**
     * Creates an empty FIFO.
     *
     * @param register address of the register that takes doorbells
     * @param consumed address of the device's consumer index
     * @param size size in bytes, a power of two
     * @param threshold maximum number of pending bytes; 0 if the device does not report it
     * @param port number of the port, from 1
     */
    public DoorbellFifo(long register, long consumed, int size, int threshold, int port) {
        this.register = register;
        this.consumed = consumed;
        this.entries = size / ENTRY;
        this.most = Math.min(threshold == 0 ? entries / 2 : threshold / ENTRY, entries - 1);
        this.port = (long) port << PORT;
    }

    /** A queue's doorbell; its fields are guarded by the FIFO's lock. */
    static final class Bell {
        private Bell next;
        private boolean owed;
        private int qpNum;
        private int producer;
    }

    /** Announces descriptors up to a producer index, now or as soon as there is room. */
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

    /** Rings waiting doorbells while there is room. Returns whether none is left. */
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

    /** Rings waiting doorbells if there is room. */
    void settle() {
        if (owing) {
            lock.lock();
            settled();
            lock.unlock();
        }
    }

    /** Stops a queue's doorbell from ringing. Returns whether it was waiting. */
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

    /** Lets a withheld doorbell ring again. */
    void restore(Bell bell, int qpNum) {
        lock.lock();
        owe(bell, qpNum, bell.producer);
        lock.unlock();
    }
}
