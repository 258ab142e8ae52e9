/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.ProtectionDomain;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.bulk.control.ControlLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The message memory of a connection: slots for incoming messages, headers for outgoing ones, and, for messages written
 * into a ring, the words that complete them. A peer that writes messages gets a key for the slots only; its messages
 * are copied to places that it can't reach.
 */
final class Slots {
    private final Limits limits;
    private final ByteBuffer bytes;
    private SlotRegions regions;
    private ByteBuffer places;
    private final long wrIdBase;
    private RecvWorkRequest[] receives;

    Slots(Limits limits, long wrIdBase) {
        this.limits = limits;
        this.wrIdBase = wrIdBase;
        int received = slot(limits.slots());
        bytes = ByteBuffer.allocateDirect(received + limits.sendDepth() * (ControlLayout.SIZE + Long.BYTES))
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Registers the memory with a device. */
    SlotRegions register(ProtectionDomain pd) {
        return new SlotRegions(pd, bytes, bytes.slice(0, slot(limits.slots())));
    }

    /** Switches to the device of these regions. */
    void use(SlotRegions value) {
        regions = value;
    }

    /** Creates a receive for each slot, with a tag in its identifier, for the device of these regions. */
    RecvWorkRequest[] receives(int tag, SlotRegions to) {
        RecvWorkRequest[] requests = new RecvWorkRequest[limits.slots()];
        for (int i = 0; i < requests.length; i++) {
            requests[i] = new RecvWorkRequest()
                    .wrId(wrIdBase | tag | i)
                    .sgList(ScatterGatherElement.of(to.slots(), slot(i), limits.slotBytes()));
        }
        return requests;
    }

    /** Changes the receives that {@link #receive} returns. */
    void useReceives(RecvWorkRequest... requests) {
        receives = requests;
    }

    ByteBuffer bytes() {
        return bytes;
    }

    int lkey() {
        return regions.slots().lkey();
    }

    long address(int offset) {
        return regions.slots().addr() + offset;
    }

    /** Returns the offset of a slot. */
    int slot(int index) {
        return index * limits.slotBytes();
    }

    /** Returns the offset of a request's header. */
    int header(int number) {
        return slot(limits.slots()) + (number & limits.sendDepth() - 1) * ControlLayout.SIZE;
    }

    /** Returns the offset of a request's word. */
    int word(int number) {
        return header(0) + limits.sendDepth() * ControlLayout.SIZE + (number & limits.sendDepth() - 1) * Long.BYTES;
    }

    /** Allocates the places for messages that the peer writes. */
    void makePlaces() {
        places = ByteBuffer.allocate(slot(limits.slots())).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Memory of received messages, at the offsets of {@link #slot}. */
    ByteBuffer received() {
        return places == null ? bytes : places;
    }

    RecvWorkRequest receive(int index) {
        return receives[index];
    }
}
