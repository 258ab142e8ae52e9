/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.AccessFlags;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.bulk.control.ControlLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The memory of a connection: slots for incoming messages, headers for outgoing ones, and for messages that are written
 * into a ring, the words that complete them. A peer that writes messages gets a key for the slots alone; its messages
 * are then copied to places that it does not reach.
 */
final class Slots implements AutoCloseable {
    private final Limits limits;
    private final ByteBuffer bytes;
    private final ProtectionDomain pd;
    private final MemoryRegion region;
    private MemoryRegion ring;
    private ByteBuffer places;
    private final long wrIdBase;
    private RecvWorkRequest[] receives;

    Slots(ProtectionDomain pd, Limits limits, long wrIdBase) {
        this.pd = pd;
        this.limits = limits;
        this.wrIdBase = wrIdBase;
        int received = slot(limits.slots());
        bytes = ByteBuffer.allocateDirect(received + limits.sendDepth() * (ControlLayout.SIZE + Long.BYTES))
                .order(ByteOrder.LITTLE_ENDIAN);
        region = pd.regMr(bytes, AccessFlags.LOCAL_WRITE);
        receives = receives(0);
    }

    /** A receive for each slot, with a tag in its identifier. */
    RecvWorkRequest[] receives(int tag) {
        RecvWorkRequest[] requests = new RecvWorkRequest[limits.slots()];
        for (int i = 0; i < requests.length; i++) {
            requests[i] = new RecvWorkRequest()
                    .wrId(wrIdBase | tag | i)
                    .sgList(ScatterGatherElement.of(region, slot(i), limits.slotBytes()));
        }
        return requests;
    }

    /** Changes what {@link #receive} returns. */
    void useReceives(RecvWorkRequest... requests) {
        receives = requests;
    }

    ByteBuffer bytes() {
        return bytes;
    }

    int lkey() {
        return region.lkey();
    }

    long address(int offset) {
        return region.addr() + offset;
    }

    /** Where a slot begins. */
    int slot(int index) {
        return index * limits.slotBytes();
    }

    /** Where the header of the request of that number is. */
    int header(int number) {
        return slot(limits.slots()) + (number & limits.sendDepth() - 1) * ControlLayout.SIZE;
    }

    /** Where the word of the request of that number is. */
    int word(int number) {
        return header(0) + limits.sendDepth() * ControlLayout.SIZE + (number & limits.sendDepth() - 1) * Long.BYTES;
    }

    /** Lets a peer write to the slots. */
    void openRing() {
        ring = pd.regMr(bytes.slice(0, slot(limits.slots())), AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
    }

    /** Where a peer may write to; 0 for nowhere. */
    long ringAddress() {
        return ring == null ? 0 : ring.addr();
    }

    int ringKey() {
        return ring == null ? 0 : ring.rkey();
    }

    /** No peer writes messages. */
    void closeRing() {
        if (ring != null) {
            ring.close();
            ring = null;
        }
    }

    /** The peer writes messages, which are taken to places. */
    void makePlaces() {
        places = ByteBuffer.allocate(slot(limits.slots())).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Memory of the messages that have come, each where {@link #slot} says. */
    ByteBuffer received() {
        return places == null ? bytes : places;
    }

    RecvWorkRequest receive(int index) {
        return receives[index];
    }

    @Override
    public void close() {
        closeRing();
        region.close();
    }
}
