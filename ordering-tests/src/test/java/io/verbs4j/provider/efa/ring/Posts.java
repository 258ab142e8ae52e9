/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.ring;

import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import io.verbs4j.natives.lock.RingLock;
import io.verbs4j.ordering.Blocks;
import io.verbs4j.rdmacore.PlainContext;
import io.verbs4j.rdmacore.memory.RegionTable;
import io.verbs4j.rdmacore.object.NativeProtectionDomain;

/** Rings in plain memory, of one place each. */
final class Posts {
    private static final NativeProtectionDomain PD = new NativeProtectionDomain(new PlainContext(), 1);
    private static final EfaAddressHandle AH = new EfaAddressHandle(PD, 1, 7);

    final long memory = Blocks.take();
    final long sendBell = memory + 128;
    final long receiveBell = memory + 192;
    final SendRing sends = new SendRing(
            new SendElements.Setup(
                    new WorkQueuePlace(memory, Descriptor.BLOCK, 1, sendBell, 1, 0),
                    false,
                    false,
                    false,
                    1,
                    0,
                    -1,
                    PD,
                    new RegionTable()),
            new RingLock(false));
    final ReceiveRing receives = new ReceiveRing(
            new WorkQueuePlace(memory + 256, Descriptor.PIECE, 1, receiveBell, 1, 0), 1, 1, new RingLock(false));

    Posts() {
        sends.setOpen(true);
        receives.setOpen(true);
    }

    private static ScatterGatherElement piece() {
        return new ScatterGatherElement().addr(1L << 40).length(8).lkey(1);
    }

    int send(long id) {
        return sends.post(
                new SendWorkRequest()
                        .wrId(id)
                        .opcode(WrOpcode.RDMA_WRITE)
                        .sendFlags(SendFlags.SIGNALED)
                        .sgList(piece())
                        .ah(AH),
                null);
    }

    int receive(long id) {
        return receives.post(new RecvWorkRequest().wrId(id).sgList(piece()), null);
    }
}
