/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package app;

import io.verbs4j.CompCntrInitAttr;
import io.verbs4j.CompCntrOps;
import io.verbs4j.CompletionCounter;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;

/** The verbs about completion counters: a write is counted where it is posted, and where it arrives. */
final class CountedVerbs {
    private final Context context;
    private final BaseVerbs base;

    CountedVerbs(Context context, BaseVerbs base) {
        this.context = context;
        this.base = base;
    }

    void run() {
        Results.step("new", "query_comp_cntr_caps", () -> "" + context.queryCompCntrCaps().maxCounters());
        CompletionCounter here = Results.step("new", "create_comp_cntr", this::create);
        Results.step("new", "qp_attach_comp_cntr", () -> counted(Results.need(here, "create_comp_cntr")));
        Results.step("new", "destroy_comp_cntr", () -> {
            Results.close(Results.need(here, "create_comp_cntr"));
            return "";
        });
    }

    private ProtectionDomain pd() {
        return Results.need(base.pd, "alloc_pd");
    }

    private CompletionCounter create() {
        return context.createCompCntr(new CompCntrInitAttr());
    }

    private String counted(CompletionCounter here) {
        try (CompletionCounter there = create();
                CompletionQueue cq = context.createCq(16);
                QueuePair left = base.pair(pd(), cq);
                QueuePair right = base.pair(pd(), cq)) {
            left.attachCompCntr(here, CompCntrOps.RDMA_WRITE);
            right.attachCompCntr(there, CompCntrOps.REMOTE_RDMA_WRITE);
            base.join(left, right);
            base.write(left, cq, base.target.addr(), base.target.rkey(), 43);
            MemoryVerbs.same(1L, here.read());
            MemoryVerbs.same(1L, there.read());
            base.verify(43);
        }
        return "";
    }
}
