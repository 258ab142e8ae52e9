/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.ring;

import io.verbs4j.rdmacore.memory.NativeMemory;
import io.verbs4j.rdmacore.ring.SpinLock;

/**
 * A port's FIFO of doorbells, which its queue pairs share: a register that takes 8 bytes at a time, and a word in memory that says how far the
 * device has taken them.
 *
 * <pre>
 *  63    56 55        32 31              0
 * |  port  | queue pair | producer index |
 * </pre>
 *
 * <p>One doorbell too many is lost, and the device with it. So nobody posts that has not begun here, which says whether there is room; beyond the
 * back-pressure threshold there is none. The device's word is one behind (on Gaudi2 it goes from 0 to 1 with the second doorbell that
 * was taken), so one more is taken for pending than is; it is looked at only where the room that was seen before is used up.
 *
 * <p>Order: descriptors are ordinary memory, the register is not cached, and its store is a release: on x86-64, the only processor that
 * this is written for, nothing before it can be later. The lock keeps doorbells of two threads from overtaking the look at the room.
 */
public final class DoorbellFifo {
    private static final int ENTRY = Long.BYTES;
    private static final int QP = 32; // shift
    private static final int PORT = 56; // shift
    private static final int MOST_QP = 0xff_ffff;

    private final long register;
    private final long consumed;
    private final int entries;
    private final int most;
    private final long port;
    private final SpinLock lock = new SpinLock();
    private int pushed;
    private int room; // as far as was seen

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

    /** Waits for the lock, and takes it where there is room for a doorbell: then {@link #ring} or {@link #end} follows. */
    boolean begin() {
        lock.lock();
        if (room > 0) {
            return true;
        }
        room = most - (pushed - NativeMemory.getInt(consumed) & entries - 1);
        if (room > 0) {
            return true;
        }
        lock.unlock();
        return false;
    }

    /** Tells of descriptors, up to a producer index, and gives the lock back. */
    void ring(int qpNum, int producer) {
        NativeMemory.putLongRelease(register, port | (long) (qpNum & MOST_QP) << QP | producer & 0xffff_ffffL);
        pushed++;
        room--;
        lock.unlock();
    }

    /** Gives the lock back: there is nothing to tell. */
    void end() {
        lock.unlock();
    }
}
