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

/** The memory of a connection: slots for what comes, then headers for what goes. */
final class Slots implements AutoCloseable {
    private final Limits limits;
    private final ByteBuffer bytes;
    private final MemoryRegion region;
    private final RecvWorkRequest[] receives;

    Slots(ProtectionDomain pd, Limits limits, long wrIdBase) {
        this.limits = limits;
        int received = limits.slots() * limits.slotBytes();
        bytes = ByteBuffer.allocateDirect(received + limits.sendDepth() * ControlLayout.SIZE)
                .order(ByteOrder.LITTLE_ENDIAN);
        region = pd.regMr(bytes, AccessFlags.LOCAL_WRITE);
        receives = new RecvWorkRequest[limits.slots()];
        for (int i = 0; i < receives.length; i++) {
            receives[i] = new RecvWorkRequest()
                    .wrId(wrIdBase | i)
                    .sgList(ScatterGatherElement.of(region, slot(i), limits.slotBytes()));
        }
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

    RecvWorkRequest receive(int index) {
        return receives[index];
    }

    @Override
    public void close() {
        region.close();
    }
}
