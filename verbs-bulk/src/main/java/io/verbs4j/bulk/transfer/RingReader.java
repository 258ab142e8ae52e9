/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.Errno;
import io.verbs4j.bulk.control.ControlKind;
import io.verbs4j.bulk.control.ControlLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Takes the messages that a peer has written, in order. Each is copied before it is examined, because the peer could
 * overwrite it. Its place in the ring is then free; the peer uses it again when a later message of this side grants a
 * credit.
 */
final class RingReader {
    private static final VarHandle WORD = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final Link link;
    private final ByteBuffer ring;
    private final ByteBuffer places;
    private final int slots;
    private final int stride;
    private final int[] free;
    private int freeCount;
    private long next;

    RingReader(Link link) {
        this.link = link;
        link.slots.makePlaces();
        ring = link.slots.bytes();
        places = link.slots.received();
        slots = link.limits.slots();
        stride = RingWriter.stride(link.limits.slotBytes());
        free = new int[slots];
        while (freeCount < slots) {
            free[freeCount] = freeCount++;
        }
    }

    /** Releases the copy of a message. */
    void give(int slot) {
        free[freeCount++] = slot;
    }

    /** Takes all messages that have arrived. Returns whether there were any. */
    boolean poll() {
        boolean any = false;
        while (freeCount > 0) {
            int at = (int) (next % slots) * stride;
            if ((long) WORD.getAcquire(ring, at + ControlLayout.SEQUENCE) != RingWriter.word(next)) {
                return any;
            }
            int slot = free[--freeCount];
            int length = copy(at, link.slots.slot(slot));
            any = true;
            if (length < 0) {
                link.fail(Errno.EPROTO);
                return true;
            }
            link.receiver.arrived(slot, length);
        }
        return any;
    }

    /** Copies a message; returns its length, or -1 if it exceeds its place. */
    private int copy(int from, int to) {
        places.put(to, ring, from, ControlLayout.SIZE);
        places.putLong(to + ControlLayout.SEQUENCE, next++);
        if (places.get(to + ControlLayout.KIND) != ControlKind.EAGER) {
            return ControlLayout.SIZE;
        }
        long length = places.getLong(to + ControlLayout.A);
        if (length < 0 || length > stride - ControlLayout.SIZE) {
            return -1;
        }
        places.put(to + ControlLayout.SIZE, ring, from + ControlLayout.SIZE, (int) length);
        return ControlLayout.SIZE + (int) length;
    }
}
