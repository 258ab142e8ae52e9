/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package app;

import io.verbs4j.AccessFlags;
import io.verbs4j.AdviseMrAdvice;
import io.verbs4j.AdviseMrFlags;
import io.verbs4j.AllocDmAttr;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ContextAttr;
import io.verbs4j.ContextSlot;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.DeviceMemory;
import io.verbs4j.ExportedFd;
import io.verbs4j.FastRegister;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MrKeyInitAttr;
import io.verbs4j.ParentDomain;
import io.verbs4j.ParentDomainInitAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.RegMrAttrEx;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.TdInitAttr;
import io.verbs4j.ThreadDomain;
import io.verbs4j.WcExFlags;
import io.verbs4j.WrOpcode;
import java.nio.ByteBuffer;

/**
 * The verbs of level 3 about memory and domains. Each is called whatever became of those before it. What a device of
 * level 3 does not have it tells before it is asked.
 */
final class MemoryVerbs {
    private static final int RIGHTS = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE;
    private static final long IOVA = 0x7000_0000_0000L;
    private static final int PAGE = 4096;
    private static final int DM_SIZE = 64;

    private final Context context;
    private final BaseVerbs base;
    private final ProtectionDomain pd;
    private QueuePair left;
    private QueuePair right;

    MemoryVerbs(Context context, BaseVerbs base) {
        this.context = context;
        this.base = base;
        pd = base.pd;
    }

    void run() {
        lacks(context, 3, ContextSlot.REG_MR_EX, ContextSlot.LEVEL_3_COUNT);
        Results.step("old", "create_qp_for_memory", () -> {
            left = base.pair(pd(), Results.need(base.cq, "create_cq"));
            right = base.pair(pd(), base.cq);
            base.join(left(), right());
            return "";
        });
        regions();
        domains();
        deviceMemory();
        new MemoryMasks(context, base).run();
        Results.step("old", "destroy_qp_for_memory", () -> {
            left().close();
            right().close();
            return "";
        });
    }

    /** Prints the slots from {@code first} up to {@code end} that a device lacks, unless a party is older. */
    static void lacks(Context context, int level, int first, int end) {
        ContextAttr attr = context.queryContext();
        boolean young = attr.libraryLevel() >= level && attr.providerLevel() >= level;
        for (int slot = first; young && slot < end; slot++) {
            if (!attr.hasVerb(slot)) {
                Results.line("lacks", ContextSlot.verb(slot), "works", "");
            }
        }
    }

    private boolean has(int slot) {
        return context.queryContext().hasVerb(slot);
    }

    private ProtectionDomain pd() {
        return Results.need(pd, "alloc_pd");
    }

    private QueuePair left() {
        return Results.need(left, "create_qp_for_memory");
    }

    private QueuePair right() {
        return Results.need(right, "create_qp_for_memory");
    }

    private MemoryRegion target() {
        return Results.need(base.target, "reg_mr_remote");
    }

    private MemoryRegion source() {
        return Results.need(base.source, "reg_mr");
    }

    /** Writes to the target's memory by another region of it. */
    private String write(QueuePair qp, CompletionQueue cq, long addr, int rkey, int seed) {
        base.write(qp, cq, addr, rkey, seed);
        return base.verify(seed);
    }

    private RegMrAttrEx memory() {
        return new RegMrAttrEx().addr(target().addr()).length(BaseVerbs.SIZE).access(RIGHTS);
    }

    private void regions() {
        Results.step("new", "reg_mr_ex", () -> {
            try (MemoryRegion mr = pd().regMrEx(memory())) {
                write(left(), base.cq, target().addr(), mr.rkey(), 11);
            }
            return has(ContextSlot.REG_MR_EX) ? "extended" : "fall-back";
        });
        Results.step("new", "reg_mr_ex_iova", () -> {
            // As far into a page as the memory.
            long iova = IOVA | target().addr() % PAGE;
            try (MemoryRegion mr = pd().regMrEx(memory().iova(iova))) {
                return write(left(), base.cq, iova, mr.rkey(), 12);
            }
        });
        Results.step("new", "advise_mr", () -> {
            if (base.target == null) { // nothing can be registered: the verb is asked all the same
                pd().adviseMr(AdviseMrAdvice.PREFETCH, AdviseMrFlags.FLUSH, new ScatterGatherElement());
                return "";
            }
            int more = has(ContextSlot.ADVISE_MR) ? AccessFlags.ON_DEMAND : 0;
            try (MemoryRegion mr = pd().regMr(ByteBuffer.allocateDirect(PAGE), AccessFlags.LOCAL_WRITE | more)) {
                pd().adviseMr(AdviseMrAdvice.PREFETCH, AdviseMrFlags.FLUSH, ScatterGatherElement.of(mr));
            }
            return "";
        });
        Results.step("new", "alloc_null_mr", () -> {
            try (MemoryRegion mr = pd().allocNullMr()) {
                same(-1L, mr.length());
                SendWorkRequest zeros = base.request(WrOpcode.RDMA_WRITE)
                        .sgList(new ScatterGatherElement().addr(0).length(BaseVerbs.SIZE).lkey(mr.lkey()));
                zeros.remoteAddr(target().addr()).rkey(target().rkey());
                // What is not zero there becomes it.
                write(left(), base.cq, target().addr(), target().rkey(), 13);
                BaseVerbs.post(left().postSend(zeros), "post_send");
                BaseVerbs.await(base.cq, 1);
                return base.zeros();
            }
        });
        Results.step("new", "alloc_mr_key", this::fastRegister);
    }

    /** A key is given memory, used, and its memory taken back. */
    private String fastRegister() {
        try (MemoryRegion mr = pd().allocMrKey(new MrKeyInitAttr().maxEntries(4))) {
            int key = MemoryWindow.incRkey(mr.rkey());
            FastRegister made = new FastRegister().mr(mr).key(key).access(RIGHTS).addr(IOVA);
            SendWorkRequest register = new SendWorkRequest().wrId(3).opcode(WrOpcode.REG_MR).fastRegister(made);
            register.sendFlags(SendFlags.SIGNALED).sgList(ScatterGatherElement.of(target()));
            BaseVerbs.post(right().postSend(register), "post_send");
            BaseVerbs.await(base.cq, 1);
            String text = write(left(), base.cq, IOVA, key, 14);
            SendWorkRequest back = new SendWorkRequest().wrId(4).opcode(WrOpcode.LOCAL_INV).invalidateRkey(key);
            BaseVerbs.post(right().postSend(back.sendFlags(SendFlags.SIGNALED)), "post_send");
            BaseVerbs.await(base.cq, 1);
            return text;
        }
    }

    private void domains() {
        ThreadDomain td = Results.step("new", "alloc_td", () -> context.allocTd(new TdInitAttr()));
        ParentDomain[] parent = new ParentDomain[1];
        CompletionQueue[] cq = new CompletionQueue[1];
        Results.step("new", "alloc_parent_domain", () -> {
            parent[0] = context.allocParentDomain(new ParentDomainInitAttr().pd(pd).td(td));
            same(pd, parent[0].base());
            same(pd, pd().base());
            return "";
        });
        Results.step("new", "alloc_parent_domain_cq", () -> {
            ParentDomain domain = Results.need(parent[0], "alloc_parent_domain");
            cq[0] = context.createCqEx(
                    new CqInitAttrEx().cqe(16).wcFlags(WcExFlags.STANDARD).parentDomain(domain));
            return "";
        });
        Results.step("new", "alloc_parent_domain_transfer", () -> {
            ParentDomain domain = Results.need(parent[0], "alloc_parent_domain");
            CompletionQueue queue = Results.need(cq[0], "create_cq_ex");
            try (QueuePair one = base.pair(domain, queue);
                    QueuePair other = base.pair(pd, queue)) {
                base.join(one, other);
                return write(one, queue, target().addr(), target().rkey(), 15);
            }
        });
        for (AutoCloseable handle : new AutoCloseable[] {cq[0], parent[0]}) {
            if (handle != null) {
                Results.step("old", "close_domain", () -> {
                    Results.close(handle);
                    return "";
                });
            }
        }
        Results.step("new", "dealloc_td", () -> {
            // Whoever is too old never looks at it.
            (td == null ? none(ContextSlot.DEALLOC_TD, "alloc_td", new ThreadDomain(context) {}) : td).close();
            return "";
        });
    }

    private void deviceMemory() {
        DeviceMemory dm = Results.step("new", "alloc_dm", () -> context.allocDm(new AllocDmAttr().length(DM_SIZE)));
        MemoryRegion mr = Results.step("new", "reg_dm_mr", () -> pd().regDmMr(
                dm == null ? none(ContextSlot.REG_DM_MR, "alloc_dm", new Nothing(context)) : dm,
                0,
                DM_SIZE,
                RIGHTS | AccessFlags.ZERO_BASED));
        Results.step("new", "alloc_dm_copy", () -> {
            Results.need(dm, "alloc_dm");
            Results.need(mr, "reg_dm_mr");
            base.prepare(16);
            SendWorkRequest some = base.request(WrOpcode.RDMA_WRITE);
            some.sgList(new ScatterGatherElement()
                    .addr(source().addr())
                    .length(DM_SIZE)
                    .lkey(source().lkey()));
            BaseVerbs.post(left().postSend(some.remoteAddr(0).rkey(mr.rkey())), "post_send");
            BaseVerbs.await(base.cq, 1);
            ByteBuffer found = ByteBuffer.allocateDirect(DM_SIZE);
            BaseVerbs.post(dm.copyFrom(found, 0), "memcpy_from_dm");
            return BaseVerbs.verify(found, 16);
        });
        Results.step("new", "dm_export_dmabuf_fd", () -> {
            DeviceMemory memory =
                    dm == null ? none(ContextSlot.DM_EXPORT_DMABUF_FD, "alloc_dm", new Nothing(context)) : dm;
            try (ExportedFd exported = memory.exportDmabufFd()) {
                return "descriptor " + exported.fd();
            }
        });
        if (mr != null) {
            Results.step("old", "dereg_dm_mr", () -> {
                mr.close();
                return "";
            });
        }
        Results.step("new", "free_dm", () -> {
            (dm == null ? none(ContextSlot.FREE_DM, "alloc_dm", new Nothing(context)) : dm).close();
            return "";
        });
    }

    /** Something in place of what a verb did not give, for one that is not there: where it is, it can't be reached. */
    private <T> T none(int slot, String maker, T handle) {
        return Results.need(has(slot) ? null : handle, maker);
    }

    static void same(Object expected, Object found) {
        if (!expected.equals(found)) {
            throw new IllegalStateException("it is " + found + ", not " + expected);
        }
    }

    /** For verbs that are not there: whoever says so never looks at it. */
    private static final class Nothing extends DeviceMemory {
        Nothing(Context context) {
            super(context, DM_SIZE);
        }

        @Override
        public int copyTo(long dmOffset, ByteBuffer source) {
            return 0;
        }

        @Override
        public int copyFrom(ByteBuffer target, long dmOffset) {
            return 0;
        }
    }
}
