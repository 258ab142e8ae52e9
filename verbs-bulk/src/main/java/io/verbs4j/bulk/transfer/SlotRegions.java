/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.AccessFlags;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import java.nio.ByteBuffer;

/** Registration of a connection's {@link Slots} with one device, and of the part that a peer may write messages to. */
final class SlotRegions {
    private final ProtectionDomain pd;
    private final ByteBuffer writable;
    private final MemoryRegion slots;
    private MemoryRegion ring;

    /**
     * Registers the memory of a connection's messages.
     *
     * @param all the whole memory
     * @param writable the part that a peer may write to, once there is a ring
     */
    SlotRegions(ProtectionDomain pd, ByteBuffer all, ByteBuffer writable) {
        this.pd = pd;
        this.writable = writable;
        slots = pd.regMr(all, AccessFlags.LOCAL_WRITE);
    }

    MemoryRegion slots() {
        return slots;
    }

    /** Lets a peer write to the slots. */
    void openRing() {
        ring = pd.regMr(writable, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
    }

    /** Address that a peer may write to; 0 for none. */
    long ringAddress() {
        return ring == null ? 0 : ring.addr();
    }

    int ringKey() {
        return ring == null ? 0 : ring.rkey();
    }

    /** Stops a peer from writing messages. */
    void closeRing() {
        if (ring != null) {
            ring.close();
            ring = null;
        }
    }

    void close() {
        closeRing();
        slots.close();
    }
}
