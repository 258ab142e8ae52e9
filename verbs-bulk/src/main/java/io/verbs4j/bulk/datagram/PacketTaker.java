/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.datagram;

import io.verbs4j.WcStatus;
import java.nio.ByteBuffer;

/** Accepts packets in order: puts bytes of writes in their place, and messages into slots. */
final class PacketTaker {
    private static final int NO_SLOT = -1;

    private final Wire wire;
    private final DatagramSlots memory;
    private final DatagramUser user;
    private final int[] posted;
    private int first;
    private int count;

    /** The slot of a partly received message, or {@link #NO_SLOT}. */
    private int slot = NO_SLOT;

    private int filled;

    PacketTaker(Wire wire, DatagramSlots memory, DatagramUser user) {
        this.wire = wire;
        this.memory = memory;
        this.user = user;
        posted = new int[memory.count()];
    }

    /** Adds a slot. Returns false if all slots are posted already. */
    boolean post(int index) {
        if (count == posted.length) {
            return false;
        }
        posted[(first + count++) % posted.length] = index;
        return true;
    }

    private int takeSlot() {
        if (count == 0) {
            return NO_SLOT;
        }
        int index = posted[first];
        first = (first + 1) % posted.length;
        count--;
        return index;
    }

    /** Accepts a packet with a valid header. Returns false if the peer violates the protocol. */
    boolean take(int place) {
        int at = wire.receivedAt(place);
        ByteBuffer bytes = wire.received();
        int length = bytes.getShort(at + PacketLayout.LENGTH) & 0xffff;
        int flags = bytes.get(at + PacketLayout.FLAGS);
        return bytes.get(at + PacketLayout.KIND) == PacketLayout.WRITE
                ? write(bytes, at, flags, length)
                : message(bytes, at, flags, length);
    }

    private boolean write(ByteBuffer bytes, int at, int flags, int length) {
        boolean tells = flags == (PacketLayout.LAST | PacketLayout.TELL);
        if (slot != NO_SLOT || tells && count == 0) {
            return false;
        }
        if (length > 0
                && !user.place(
                        bytes.getInt(at + PacketLayout.KEY),
                        bytes.getLong(at + PacketLayout.ADDRESS),
                        bytes,
                        at + PacketLayout.SIZE,
                        length)) {
            return false;
        }
        if (tells) {
            user.received(takeSlot(), WcStatus.SUCCESS, true, bytes.getInt(at + PacketLayout.IMMEDIATE), 0);
        }
        return true;
    }

    private boolean message(ByteBuffer bytes, int at, int flags, int length) {
        if (slot == NO_SLOT) {
            slot = takeSlot();
            filled = 0;
        }
        if (slot == NO_SLOT || length > memory.slotBytes() - filled) {
            return false;
        }
        memory.bytes().put(slot * memory.slotBytes() + filled, bytes, at + PacketLayout.SIZE, length);
        filled += length;
        if ((flags & PacketLayout.LAST) != 0) {
            int full = slot;
            slot = NO_SLOT;
            user.received(full, WcStatus.SUCCESS, false, 0, filled);
        }
        return true;
    }

    /** Gives all slots back when nothing arrives any more. */
    void flush() {
        if (slot != NO_SLOT) {
            int part = slot;
            slot = NO_SLOT;
            user.received(part, WcStatus.WR_FLUSH_ERR, false, 0, 0);
        }
        for (int index = takeSlot(); index != NO_SLOT; index = takeSlot()) {
            user.received(index, WcStatus.WR_FLUSH_ERR, false, 0, 0);
        }
    }
}
