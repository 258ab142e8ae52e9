/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.ring;

import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import io.verbs4j.natives.lock.RingLock;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.PlainContext;
import io.verbs4j.rdmacore.memory.RegionTable;
import io.verbs4j.rdmacore.object.NativeProtectionDomain;

/** Posts to a ring in plain memory until the JIT compiler has compiled the post. */
final class PostsProgram {
    private static final int COUNT = 256;

    private PostsProgram() {}

    public static void main(String... args) {
        long memory = NativeMemory.allocate((COUNT + 1) * Descriptor.BLOCK);
        long doorbell = memory + COUNT * Descriptor.BLOCK;
        NativeProtectionDomain pd = new NativeProtectionDomain(new PlainContext(), 1);
        SendRing ring = new SendRing(
                new SendElements.Setup(
                        new WorkQueuePlace(memory, Descriptor.BLOCK, COUNT, doorbell, COUNT, 0),
                        false,
                        false,
                        false,
                        2,
                        32,
                        -1,
                        pd,
                        new RegionTable()),
                new RingLock(false));
        ring.setOpen(true);
        SendWorkRequest wr = new SendWorkRequest()
                .opcode(WrOpcode.SEND)
                .sendFlags(SendFlags.SIGNALED)
                .ah(new EfaAddressHandle(pd, 1, 7))
                .sgList(new ScatterGatherElement().length(8).lkey(1).addr(2));
        int posted = 0;
        for (int i = 0; i < 2_000_000; i++) {
            if (ring.post(wr.wrId(i), null) == 0) {
                posted++;
            }
            ring.ids.complete(i & COUNT - 1);
        }
        System.out.println("posted " + posted);
    }
}
