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
import io.verbs4j.CqInitAttrMask;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.DeviceMemory;
import io.verbs4j.Errno;
import io.verbs4j.ExportedFd;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MrKeyInitAttr;
import io.verbs4j.ParentDomain;
import io.verbs4j.ParentDomainInitAttr;
import io.verbs4j.ParentDomainMask;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCreateFlags;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpInitAttrMask;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RegMrAttrEx;
import io.verbs4j.RegMrMask;
import io.verbs4j.RingAllocator;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.TdInitAttr;
import io.verbs4j.ThreadDomain;
import io.verbs4j.WcExFlags;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.List;

/** Every attribute of the verbs of level 3 about memory and domains, there and back. */
class WitnessedMemory extends WitnessedCompletions {
    private static final int FIRST = ContextSlot.REG_MR_EX;
    private static final int LAST = ContextSlot.DM_EXPORT_DMABUF_FD;
    private static final int RIGHTS = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_READ;
    private static final String LIBRARY = "the mask has bits that this library does not know";

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(100);
    private MemoryRegion region;

    WitnessedMemory(Context context) {
        super(context);
    }

    @Override
    void steps() {
        super.steps();
        boolean there = context.queryContext().hasVerb(FIRST);
        step("slots_of_memory", () -> slots(there));
        step("reg_mr_ex_given", this::regMrExGiven);
        step("base_domain", () -> equal(pd, pd.base()));
        if (BaseVerbs.providerLevel >= 3) {
            step("operations", () -> equal(there, context.queryDeviceEx().sendOps(QpType.RC) != 0));
            if (context.queryContext().hasVerb(ContextSlot.CREATE_QP_EX)) {
                step("create_qp_ex_flags", this::createFlags);
            }
        }
        if (there) {
            step("reg_mr_ex", this::regMrEx);
            step("advise_mr", this::adviseMr);
            step("alloc_mr_key", this::allocMrKey);
            step("alloc_td", this::allocTd);
            step("parent_domain", this::parentDomain);
            step("cq_of_parent_domain", this::cqOfParentDomain);
            step("alloc_dm", this::allocDm);
            step("null_mr", this::nullMr);
            step("device_attr_ex", this::deviceAttrEx);
            step("memory_masks", this::memoryMasks);
        }
    }

    private void slots(boolean there) {
        ContextAttr attr = context.queryContext();
        boolean library = attr.libraryLevel() >= 3;
        for (int slot = FIRST; slot <= LAST; slot++) {
            equal(3, ContextSlot.level(slot));
            equal(slot == FIRST, ContextSlot.hasFallback(slot));
            equal(library ? 3L : 0L, attr.slots().get(slot, ContextAttr.SLOT_LEVEL));
            equal(there, attr.hasVerb(slot));
            equal(there || slot == FIRST, attr.canCall(slot));
        }
        equal(LAST + 1, ContextSlot.LEVEL_3_COUNT);
        equal(4, ContextSlot.level(LAST + 1));
        equal(attr.libraryLevel() == 3 ? LAST + 1 : attr.tableSize(), attr.tableSize());
        equal("dm_export_dmabuf_fd", ContextSlot.verb(LAST));
    }

    /** By whichever verb: the same memory by its own address. */
    private void regMrExGiven() {
        try (MemoryRegion mr = pd.regMr(buffer, AccessFlags.LOCAL_WRITE)) {
            RegMrAttrEx attr = new RegMrAttrEx().addr(mr.addr() + 8).length(50).access(RIGHTS).keepAlive(buffer);
            for (RegMrAttrEx one : List.of(attr, new RegMrAttrEx().addr(mr.addr() + 8).length(50).access(RIGHTS))) {
                try (MemoryRegion again = pd.regMrEx(one.iova(mr.addr() + 8))) {
                    equal(List.of(mr.addr() + 8, 50L, RIGHTS), List.of(again.addr(), again.length(), again.access()));
                    equal(pd, again.pd());
                }
            }
        }
        keptWhileRegistered();
        boolean there = context.queryContext().hasVerb(FIRST);
        refused(there ? Errno.EINVAL : missing(), there ? "neither" : "reg_mr_ex", () -> pd.regMrEx(
                new RegMrAttrEx().length(8)));
    }

    /** What is given with memory can't be collected while the device may touch it, and can be afterwards. */
    private void keptWhileRegistered() {
        RegMrAttrEx attr = new RegMrAttrEx().length(50).access(RIGHTS);
        WeakReference<?> kept;
        try (MemoryRegion memory = pd.regMr(buffer, AccessFlags.LOCAL_WRITE)) {
            kept = registered(attr.addr(memory.addr()));
            System.gc();
            equal(true, kept.get() != null);
            region.close();
        }
        for (int i = 0; kept.get() != null && i < 100; i++) {
            System.gc();
        }
        equal(true, kept.get() == null);
    }

    /** The attribute lets go: a provider may remember it. */
    private WeakReference<?> registered(RegMrAttrEx attr) {
        Object owner = new Object();
        region = pd.regMrEx(attr.keepAlive(owner));
        attr.keepAlive(null);
        return new WeakReference<>(owner);
    }

    private int missing() {
        return context.queryContext().libraryLevel() >= 3 ? Errno.EOPNOTSUPP : Errno.ENOSYS;
    }

    private void regMrEx() {
        try (MemoryRegion mr = pd.regMr(buffer, AccessFlags.LOCAL_WRITE)) {
            RegMrAttrEx memory = new RegMrAttrEx().addr(mr.addr()).length(50).access(RIGHTS).iova(0x1234_5678L);
            try (MemoryRegion moved = arrives(memory.keepAlive(this), () -> pd.regMrEx(memory))) {
                equal(List.of(0x1234_5678L, 50L, RIGHTS), List.of(moved.addr(), moved.length(), moved.access()));
            }
            equal("@" + System.identityHashCode(pd), last().get("handle"));
            equal(RegMrMask.ADDR | RegMrMask.IOVA, memory.compMask());
            refused(Errno.EINVAL, "both", () -> pd.regMrEx(dmabuf().addr(mr.addr())));
        }
        RegMrAttrEx fd = dmabuf();
        arrives(fd, () -> pd.regMrEx(fd)).close();
        equal(RegMrMask.FD | RegMrMask.IOVA | RegMrMask.FD_OFFSET, fd.compMask());
        refused(Errno.EINVAL, "fd", () -> pd.regMrEx(dmabuf().fd(-1)));
        refused(Errno.EINVAL, "fdOffset", () -> pd.regMrEx(dmabuf().fdOffset(-1)));
        refused(Errno.EINVAL, "length", () -> pd.regMrEx(dmabuf().length(0)));
        refused(Errno.EINVAL, "IOVA", () -> pd.regMrEx(new RegMrAttrEx().fd(7).fdOffset(0).length(9)));
        refused(Errno.EINVAL, "FD_OFFSET", () -> pd.regMrEx(new RegMrAttrEx().fd(7).iova(0).length(9)));
        refused(Errno.EINVAL, "LOCAL_WRITE", () -> pd.regMrEx(dmabuf().access(AccessFlags.REMOTE_WRITE)));
        refused(Errno.EOPNOTSUPP, "a library must know", () -> pd.regMrEx(dmabuf().access(1 << 30)));
    }

    private static RegMrAttrEx dmabuf() {
        return new RegMrAttrEx().fd(1234).fdOffset(0x3000).iova(0x5000).length(77).access(RIGHTS);
    }

    private void adviseMr() {
        ScatterGatherElement one = new ScatterGatherElement().addr(1).length(2).lkey(3);
        ScatterGatherElement other = new ScatterGatherElement().addr(4).length(5).lkey(6);
        pd.adviseMr(AdviseMrAdvice.PREFETCH_NO_FAULT, AdviseMrFlags.FLUSH, one, other);
        equal("2 1 2", last().get("advice"));
        equal(List.of(one.toString(), other.toString()), List.of(last().get("element 0"), last().get("element 1")));
        equal("@" + System.identityHashCode(pd), last().get("handle"));
        pd.adviseMr(AdviseMrAdvice.PREFETCH_WRITE, 0, other);
        equal("1 0 1", last().get("advice"));
        refused(Errno.EOPNOTSUPP, "advice 77", () -> pd.adviseMr(77, 0, one)); // the device's to know
        refused(Errno.EINVAL, "numSge", () -> pd.adviseMr(0, 0));
        refused(Errno.EINVAL, "sgList[1]", () -> pd.adviseMr(0, 0, one, null));
    }

    private void allocMrKey() {
        MrKeyInitAttr attr = new MrKeyInitAttr().maxEntries(37);
        try (MemoryRegion mr = arrives(attr, () -> pd.allocMrKey(attr))) {
            equal(List.of(0L, pd), List.of(mr.length(), mr.pd()));
        }
        refused(Errno.EINVAL, "maxEntries", () -> pd.allocMrKey(new MrKeyInitAttr()));
    }

    private void allocTd() {
        TdInitAttr attr = new TdInitAttr();
        ThreadDomain td = arrives(attr, () -> context.allocTd(attr));
        td.close();
        equal("@" + System.identityHashCode(td), last().get("handle"));
        td.close(); // again, and nothing happens
    }

    private static final class Rings implements RingAllocator {
        @Override
        public long alloc(ParentDomain pd, Object pdContext, long size, long alignment, long resourceType) {
            return USE_DEFAULT;
        }

        @Override
        public void free(ParentDomain pd, Object pdContext, long addr, long resourceType) {}
    }

    private void parentDomain() {
        Rings rings = new Rings();
        ThreadDomain td = context.allocTd(new TdInitAttr());
        ProtectionDomain own = context.allocPd();
        ParentDomainInitAttr attr =
                new ParentDomainInitAttr().pd(own).td(td).allocators(rings).pdContext("of the rings");
        ParentDomain parent = arrives(attr, () -> context.allocParentDomain(attr));
        equal(ParentDomainMask.ALLOCATORS | ParentDomainMask.PD_CONTEXT, attr.compMask());
        equal(List.of(own, td, rings, "of the rings"), List.of(
                parent.pd(), parent.td(), parent.allocators(), parent.pdContext()));
        equal(List.of(own, own), List.of(parent.base(), own.base()));
        // Both live as long as what is made of them.
        refused(Errno.EBUSY, "dealloc_pd", own::close);
        refused(Errno.EBUSY, "dealloc_td", td::close);
        refused(Errno.EINVAL, "parent domain", () -> context.allocParentDomain(new ParentDomainInitAttr().pd(parent)));
        refused(Errno.EINVAL, "pd", () -> context.allocParentDomain(new ParentDomainInitAttr()));
        MemoryRegion mr = parent.regMr(buffer, AccessFlags.LOCAL_WRITE);
        equal(parent, mr.pd());
        refused(Errno.EBUSY, "dealloc_pd", parent::close);
        mr.close();
        parent.close();
        td.close();
        own.close();
    }

    private void cqOfParentDomain() {
        ParentDomain parent = context.allocParentDomain(new ParentDomainInitAttr().pd(pd));
        CqInitAttrEx attr = new CqInitAttrEx().cqe(9).wcFlags(WcExFlags.STANDARD).parentDomain(parent);
        equal(CqInitAttrMask.PD, attr.compMask());
        CompletionQueue cq = arrives(attr, () -> context.createCqEx(attr));
        refused(Errno.EBUSY, "1 completion queue", parent::close);
        cq.close();
        CqInitAttrEx none = new CqInitAttrEx().cqe(9).wcFlags(WcExFlags.STANDARD);
        none.masks(CqInitAttrMask.PD, 0);
        refused(Errno.EINVAL, "parentDomain", () -> context.createCqEx(none));
        parent.close();
    }

    /** A bit of the device alone: it arrives by every library that has the verb. */
    private void createFlags() {
        QpInitAttrEx attr = new QpInitAttrEx().qpType(QpType.RC).pd(pd).sendCq(sends).recvCq(receives).cap(asked());
        attr.createFlags(QpCreateFlags.LOW_LATENCY | QpCreateFlags.BLOCK_SELF_MCAST_LB);
        QueuePair qp = arrives(attr, () -> context.createQpEx(attr));
        equal(true, (attr.compMask() & QpInitAttrMask.CREATE_FLAGS) != 0);
        equal("" + (QpCreateFlags.LOW_LATENCY | QpCreateFlags.BLOCK_SELF_MCAST_LB), last().get("createFlags"));
        qp.close();
    }

    private void allocDm() {
        AllocDmAttr attr = new AllocDmAttr().length(60).logAlignReq(5);
        DeviceMemory dm = arrives(attr, () -> context.allocDm(attr));
        equal(63L, dm.length()); // what was given
        int access = RIGHTS | AccessFlags.ZERO_BASED;
        MemoryRegion mr = pd.regDmMr(dm, 7, 56, access);
        equal("7 56 " + access, last().get("range"));
        equal("@" + System.identityHashCode(dm), last().get("handle"));
        equal("@" + System.identityHashCode(pd), last().get("pd"));
        equal(List.of(56L, access, pd), List.of(mr.length(), mr.access(), mr.pd()));
        refused(Errno.EBUSY, "free_dm", dm::close);
        refused(Errno.EINVAL, "ZERO_BASED", () -> pd.regDmMr(dm, 0, 1, RIGHTS));
        refused(Errno.EINVAL, "dmOffset", () -> pd.regDmMr(dm, 63, 1, access));
        refused(Errno.EINVAL, "length", () -> pd.regDmMr(dm, 8, 56, access));
        ExportedFd exported = dm.exportDmabufFd();
        equal(70_000, exported.fd());
        exported.close();
        equal("@" + System.identityHashCode(dm), last().get("handle"));
        ByteBuffer some = ByteBuffer.allocateDirect(8).putLong(0, 4711);
        ByteBuffer found = ByteBuffer.allocateDirect(8);
        equal(List.of(0, 0), List.of(dm.copyTo(11, some), dm.copyFrom(found, 11)));
        equal(4711L, found.getLong(0));
        mr.close();
        dm.close();
        equal("@" + System.identityHashCode(dm), last().get("handle"));
        refused(Errno.EINVAL, "length", () -> context.allocDm(new AllocDmAttr()));
        refused(Errno.EINVAL, "logAlignReq", () -> context.allocDm(new AllocDmAttr().length(1).logAlignReq(63)));
    }

    private void nullMr() {
        try (MemoryRegion mr = pd.allocNullMr()) {
            equal(List.of(0L, -1L, pd), List.of(mr.addr(), mr.length(), mr.pd()));
        }
    }

    private void deviceAttrEx() {
        DeviceAttrEx attr = context.queryDeviceEx();
        equal(
                List.of(wide(34), wide(35), wide(36), wide(37)),
                List.of(attr.sendOpsUc(), attr.sendOpsUd(), attr.sendOpsXrcSend(), attr.sendOpsDriver()));
        equal(attr.sendOpsRc(), attr.sendOps(QpType.RC));
        equal(attr.sendOpsUc(), attr.sendOps(QpType.UC));
        equal(attr.sendOpsUd(), attr.sendOps(QpType.UD));
        equal(attr.sendOpsXrcSend(), attr.sendOps(QpType.XRC_SEND));
        equal(attr.sendOpsDriver(), attr.sendOps(QpType.DRIVER));
        equal(
                List.of(0x17f, 1039, 1040, 1041),
                List.of(attr.mrAccessFlags(), attr.qpCreateFlags(), attr.maxFastRegLen(), attr.maskedAtomicSizes()));
        equal(
                List.of(0x10e, wide(43), wide(44)),
                List.of(attr.qpAccessFlags(), attr.deviceTraits(), attr.internalPorts()));
    }

    private static long wide(int field) {
        return (1000L + field) << 32 | 1000 + field;
    }

    /** The bits of handles that came with level 4, without a handle. */
    private void handles(boolean known) {
        int errno = known ? Errno.EINVAL : Errno.EOPNOTSUPP;
        refused(errno, known ? "dmah is null" : LIBRARY, () -> pd.regMrEx(masked(RegMrMask.ADDR | 1L << 4)));
        refused(errno, known ? "buf is null" : LIBRARY, () -> pd.regMrEx(masked(RegMrMask.ADDR | 1L << 5)));
    }

    /** What is the library's to know it refuses, by whatever name; the rest is the device's. */
    private void memoryMasks() {
        handles(context.queryContext().libraryLevel() >= 4);
        refused(Errno.EOPNOTSUPP, LIBRARY, () -> pd.regMrEx(masked(RegMrMask.ADDR | 1L << 33)));
        refused(Errno.EOPNOTSUPP, "the witness does not know", () -> pd.regMrEx(masked(RegMrMask.ADDR | 1L << 6)));
        refused(Errno.EOPNOTSUPP, "the witness does not know", () -> {
            ParentDomainInitAttr attr = new ParentDomainInitAttr().pd(pd);
            attr.masks(1L << 2, 0);
            context.allocParentDomain(attr);
        });
        TdInitAttr optional = new TdInitAttr();
        optional.masks(1L << 60, 0);
        context.allocTd(optional).close();
    }

    private RegMrAttrEx masked(long mask) {
        RegMrAttrEx attr = new RegMrAttrEx().addr(0x1000).length(8);
        attr.masks(mask, 0);
        return attr;
    }
}
