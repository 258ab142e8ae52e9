/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.memory.RegionTable;
import io.verbs4j.rdmacore.object.WindowBook;
import io.verbs4j.rdmacore.object.WindowLog;
import java.util.List;

/**
 * Posts writes to a ring in plain memory until the JIT compiler has compiled the post. Arguments: "blueflame" or
 * "not-cached", or none.
 */
final class PostsProgram {
    private static final int BLOCKS = 256;
    private static final int REGISTER = 512;

    private PostsProgram() {}

    public static void main(String... args) {
        List<String> wanted = List.of(args);
        long memory = NativeMemory.allocate(BLOCKS * Wqe.BLOCK + 64 + REGISTER);
        long record = memory + BLOCKS * Wqe.BLOCK;
        SendRing ring = new SendRing(new SendElements.Setup(
                memory,
                BLOCKS,
                record,
                new Doorbell(record + 64, 256, !wanted.contains("not-cached"), wanted.contains("blueflame"), true),
                0x123,
                Transport.RC,
                false,
                128,
                4,
                0,
                -1,
                null,
                new RegionTable(),
                new WindowLog(new WindowBook(false), () -> 7, false, 128, () -> {})));
        SendWorkRequest wr = new SendWorkRequest()
                .opcode(WrOpcode.RDMA_WRITE)
                .sendFlags(SendFlags.SIGNALED)
                .sgList(new ScatterGatherElement().length(8).lkey(1).addr(2));
        int posted = 0;
        for (int i = 0; i < 2_000_000; i++) {
            if (ring.post(wr.wrId(i), null) == 0) {
                posted++;
            }
            ring.complete(i);
        }
        System.out.println("posted " + posted);
    }
}
