/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package app;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.DmaBuffer;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;

/** The verbs about buffers that the device allocates: one is written to by RDMA. */
final class BufferVerbs {
    private final Context context;
    private final BaseVerbs base;

    BufferVerbs(Context context, BaseVerbs base) {
        this.context = context;
        this.base = base;
    }

    void run() {
        DmaBuffer buf = Results.step("new", "alloc_buf", () -> pd().allocBuf(BaseVerbs.SIZE));
        Results.step("new", "alloc_buf_transfer", () -> transfer(Results.need(buf, "alloc_buf")));
        Results.step("new", "free_buf", () -> {
            Results.close(Results.need(buf, "alloc_buf"));
            return "";
        });
    }

    private ProtectionDomain pd() {
        return Results.need(base.pd, "alloc_pd");
    }

    private String transfer(DmaBuffer buf) {
        try (MemoryRegion all = buf.regMr(AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
                CompletionQueue cq = context.createCq(16);
                QueuePair left = base.pair(pd(), cq);
                QueuePair right = base.pair(pd(), cq)) {
            base.join(left, right);
            base.write(left, cq, all.addr(), all.rkey(), 47);
            return BaseVerbs.verify(buf.buffer(0, BaseVerbs.SIZE), 47);
        }
    }
}
