/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static io.verbs4j.compat.kit.Memory.PAGE;
import static io.verbs4j.compat.kit.RegionRig.NAME;
import static io.verbs4j.compat.kit.RegionRig.NO_ADVICE;
import static io.verbs4j.compat.kit.Unknown.NO_FLAG;

import io.verbs4j.AccessFlags;
import io.verbs4j.AdviseMrAdvice;
import io.verbs4j.AdviseMrFlags;
import io.verbs4j.AllocDmAttr;
import io.verbs4j.Context;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MrKeyInitAttr;
import io.verbs4j.OdpGeneralCaps;
import io.verbs4j.ParentDomainInitAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.RegMrAttrEx;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.TdInitAttr;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** R18: regions of level 3: with any address, of files, zero-based, null, on demand. */
interface RegionRules {
    @Rule(
            id = "R18.01",
            since = 3,
            says = "the capabilities of memory and domains that are declared are those that queryDeviceEx reports and"
                    + " the verbs offer; other calls fail with EOPNOTSUPP",
            look = {"the functions that VerbsProvider.initContext puts into the table", "ContextOps.regMrBuffer"},
            man = "the Javadoc of DeviceAttrEx, of the verbs of level 3 and of Capability",
            needs = {Capability.RC, Capability.QUERY_DEVICE_EX})
    default void r1801Told(RegionRig rig) throws IOException {
        Context context = rig.open();
        ProtectionDomain pd = rig.domain(context);
        DeviceAttrEx attr = context.queryDeviceEx();
        ByteBuffer memory = Memory.pages(PAGE);
        rig.told(Capability.FAST_REGISTER, "maxFastRegLen != 0", attr.maxFastRegLen() != 0);
        rig.told(Capability.DEVICE_MEMORY, "maxDmSize != 0", attr.maxDmSize() != 0);
        rig.told(
                Capability.ON_DEMAND,
                "SUPPORT in odpGeneralCaps",
                (attr.odpGeneralCaps() & OdpGeneralCaps.SUPPORT) != 0);
        rig.right(attr, pd, memory, Capability.ZERO_BASED, AccessFlags.ZERO_BASED);
        rig.right(attr, pd, memory, Capability.ON_DEMAND, AccessFlags.ON_DEMAND);
        if (rig.has(Capability.FLUSH)) { // a device that can't request flushes may still grant the right
            rig.right(attr, pd, memory, Capability.FLUSH, AccessFlags.FLUSH_GLOBAL);
        }
        MrKeyInitAttr key = new MrKeyInitAttr().maxEntries(1);
        rig.verb(Capability.FAST_REGISTER, "allocMrKey", () -> rig.opened(pd.allocMrKey(key)));
        rig.verb(Capability.NULL_MR, "allocNullMr", () -> rig.opened(pd.allocNullMr()));
        rig.verb(Capability.DEVICE_MEMORY, "allocDm", () -> rig.opened(context.allocDm(new AllocDmAttr().length(64))));
        rig.verb(Capability.PARENT_DOMAIN, "allocTd", () -> rig.opened(context.allocTd(new TdInitAttr())));
        ParentDomainInitAttr parent = new ParentDomainInitAttr().pd(pd);
        rig.verb(Capability.PARENT_DOMAIN, "allocParentDomain", () -> rig.opened(context.allocParentDomain(parent)));
        if (rig.has(Capability.PARENT_DOMAIN)) {
            RingLog log = new RingLog(null);
            rig.verb(
                    Capability.RING_ALLOCATORS,
                    "allocParentDomain with allocators",
                    () -> rig.opened(context.allocParentDomain(
                            new ParentDomainInitAttr().pd(pd).allocators(log))));
        }
        MemoryRegion mr = rig.opened(pd.regMr(memory, rig.rights()));
        RegMrAttrEx named = rig.named(mr, NAME);
        rig.verb(Capability.REG_MR_EX, "regMrEx with iova", () -> rig.opened(pd.regMrEx(named)));
        ScatterGatherElement advised = ScatterGatherElement.of(
                rig.has(Capability.ON_DEMAND)
                        ? rig.opened(pd.regMr(memory, rig.rights() | AccessFlags.ON_DEMAND))
                        : mr);
        rig.verb(Capability.ADVISE_MR, "adviseMr", () -> pd.adviseMr(AdviseMrAdvice.PREFETCH, 0, advised));
        rig.files(pd);
    }

    // ---- by any address

    @Rule(
            id = "R18.02",
            since = 3,
            says = "a region of regMrEx has the address that it was given, for the peer and for its own side, and no"
                    + " other",
            look = "the function in the slot REG_MR_EX",
            man = "ibv_reg_mr_ex(3), ibv_reg_mr_iova(3), and the Javadoc of RegMrAttrEx",
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.REG_MR_EX})
    default void r1802AnyAddress(RegionRig rig) {
        rig.start();
        ByteBuffer memory = Memory.pages(2 * PAGE);
        MemoryRegion plain = rig.b.region(memory, rig.rights());
        MemoryRegion mr = rig.made(MemoryRegion.class, rig.b.pd.regMrEx(rig.named(plain, NAME)));
        Seen.equal("addr() of regMrEx with iova", Seen.hex(NAME), Seen.hex(mr.addr()));
        Seen.equal("length()", 2L * PAGE, mr.length());
        rig.written(1, mr, NAME + 100, 5000);
        Seen.holds("the data written to iova", memory, 100, rig.a.memory, 0, 5000);
        rig.b.post(rig.b
                .wr(WrOpcode.RDMA_WRITE, 2, ScatterGatherElement.of(mr, 100, 5000))
                .remoteAddr(rig.a.mr.addr() + 10_000)
                .rkey(rig.a.mr.rkey()));
        rig.b.next(2, WcStatus.SUCCESS);
        Seen.holds("the data written from iova", rig.a.memory.buffer, 10_000, rig.a.memory, 0, 5000);
        MemoryRegion same = rig.opened(rig.b.pd.regMrEx(
                new RegMrAttrEx().addr(plain.addr()).length(PAGE).access(rig.rights())));
        Seen.equal("addr() of regMrEx without iova", Seen.hex(plain.addr()), Seen.hex(same.addr()));
        rig.fails(rig.write(3, mr, plain.addr(), 8), WcStatus.REM_ACCESS_ERR);
    }

    @Rule(
            id = "R18.03",
            since = 3,
            says = "a region of a descriptor is that part of what is behind it, also when the descriptor is closed;"
                    + " EBADF where there is none",
            look = "the function in the slot REG_MR_EX",
            man = "ibv_reg_dmabuf_mr(3), and the Javadoc of RegMrAttrEx",
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.REG_MR_EX, Capability.DMABUF})
    default void r1803Descriptor(RegionRig rig) throws IOException {
        rig.start();
        Path path = rig.file(4 * PAGE);
        MemoryRegion mr;
        int fd;
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            Seen.check(file.length() == 4 * PAGE, "the file has " + file.length() + " bytes");
            fd = RegionRig.descriptor(path);
            Assumptions.assumeTrue(fd >= 0, "the operating system does not report descriptor numbers");
            mr = rig.opened(rig.b.pd.regMrEx(rig.described(fd, PAGE, 2 * PAGE)));
            int number = fd;
            Seen.refuses(
                    "regMrEx beyond the end of the file",
                    () -> rig.opened(rig.b.pd.regMrEx(rig.described(number, 2 * PAGE, 3 * PAGE))),
                    Errno.EINVAL);
        }
        Seen.equal("addr()", Seen.hex(NAME), Seen.hex(mr.addr()));
        rig.written(1, mr, NAME + 10, 5000);
        Seen.holds("the file", ByteBuffer.wrap(Files.readAllBytes(path)), PAGE + 10, rig.a.memory, 0, 5000);
        Seen.refuses(
                "regMrEx of descriptor " + Integer.MAX_VALUE,
                () -> rig.opened(rig.b.pd.regMrEx(rig.described(Integer.MAX_VALUE, 0, PAGE))),
                Errno.EBADF);
        rig.fails(rig.write(2, mr, NAME + 2 * PAGE - 4, 8), WcStatus.REM_ACCESS_ERR);
    }

    @Rule(
            id = "R18.04",
            since = 3,
            says = "addresses in a region of ZERO_BASED count from 0, for the peer and for its own side",
            look = "ContextOps.regMrBuffer",
            man = "ibv_reg_mr(3) (IBV_ACCESS_ZERO_BASED)",
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.ZERO_BASED})
    default void r1804ZeroBased(RegionRig rig) {
        rig.start();
        ByteBuffer memory = Memory.pages(2 * PAGE);
        MemoryRegion mr = rig.b.region(memory, rig.rights() | AccessFlags.ZERO_BASED);
        Seen.equal("addr() of a region with ZERO_BASED", 0L, mr.addr());
        rig.written(1, mr, 0, 100);
        rig.written(2, mr, 2 * PAGE - 1, 1);
        Seen.holds("the beginning of the region", memory, 0, rig.a.memory, 0, 100);
        Seen.holds("the last byte of the region", memory, 2 * PAGE - 1, rig.a.memory, 0, 1);
        ScatterGatherElement own =
                new ScatterGatherElement().addr(10).length(50).lkey(mr.lkey());
        rig.b.post(rig.b
                .wr(WrOpcode.RDMA_WRITE, 3, own)
                .remoteAddr(rig.a.mr.addr() + 9000)
                .rkey(rig.a.mr.rkey()));
        rig.b.next(3, WcStatus.SUCCESS);
        Seen.holds("the data written from there", rig.a.memory.buffer, 9000, rig.a.memory, 10, 50);
        rig.fails(rig.write(4, mr, 2 * PAGE - 1, 2), WcStatus.REM_ACCESS_ERR);
    }

    @Rule(
            id = "R18.05",
            since = 3,
            says = "what is written to a region of nothing vanishes, and zeros are read from it",
            look = "the function in the slot ALLOC_NULL_MR",
            man = "ibv_alloc_null_mr(3), DESCRIPTION",
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.RDMA_READ, Capability.NULL_MR})
    default void r1805Nothing(Rig rig) {
        rig.start(s -> s.maxSge = 2);
        MemoryRegion nothing = rig.made(MemoryRegion.class, rig.a.pd.allocNullMr());
        Seen.equal("addr() of a null region", 0L, nothing.addr());
        Seen.equal("length()", -1L, nothing.length());
        ScatterGatherElement hole =
                new ScatterGatherElement().addr(4000).length(100).lkey(nothing.lkey());
        rig.a.post(rig.a.to(rig.b, 0, rig.a.wr(WrOpcode.RDMA_READ, 1, hole, rig.a.sge(200, 50))));
        rig.a.next(1, WcStatus.SUCCESS);
        rig.a.memory.holds(200, rig.b.memory, 100, 50);
        rig.a.memory.untouched(0, 200);
        rig.a.post(rig.a.to(rig.b, 1000, rig.a.wr(WrOpcode.RDMA_WRITE, 2, rig.a.sge(0, 10), hole)));
        rig.a.next(2, WcStatus.SUCCESS);
        rig.b.memory.holds(1000, rig.a.memory, 0, 10);
        for (int i = 0; i < 100; i++) {
            Seen.equal("byte " + i + " read from a null region", (byte) 0, rig.b.memory.buffer.get(1010 + i));
        }
    }

    // ---- on demand

    @Rule(
            id = "R18.06",
            since = 3,
            says = "memory that is paged in on demand is there when it is used, whatever was advised before",
            look = {"ContextOps.regMrBuffer", "the function in the slot ADVISE_MR"},
            man = "ibv_reg_mr(3) (IBV_ACCESS_ON_DEMAND), ibv_advise_mr(3)",
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.ON_DEMAND})
    default void r1806OnDemand(RegionRig rig) {
        rig.start();
        ByteBuffer memory = Memory.pages(16 * PAGE);
        MemoryRegion mr = rig.b.region(memory, rig.rights() | AccessFlags.ON_DEMAND);
        rig.written(1, mr, mr.addr() + 100, 20_000);
        Seen.holds("memory that was paged in on demand", memory, 100, rig.a.memory, 0, 20_000);
        if (!rig.has(Capability.ADVISE_MR)) {
            return;
        }
        for (int advice = AdviseMrAdvice.PREFETCH; advice <= AdviseMrAdvice.PREFETCH_NO_FAULT; advice++) {
            for (int flags : new int[] {0, AdviseMrFlags.FLUSH}) {
                rig.b.pd.adviseMr(
                        advice,
                        flags,
                        ScatterGatherElement.of(mr, 0, PAGE),
                        ScatterGatherElement.of(mr, 8 * PAGE, 8 * PAGE));
            }
        }
        rig.written(2, mr, mr.addr() + 30_000, 30_000);
        Seen.holds("memory that adviseMr was called for", memory, 30_000, rig.a.memory, 0, 30_000);
    }

    @Rule(
            id = "R18.07",
            since = 3,
            says = "advice about memory that is not to be had, and advice that nobody has heard of, is refused",
            look = "the function in the slot ADVISE_MR",
            man = "ibv_advise_mr(3), RETURN VALUE, and the Javadoc of ProtectionDomain.adviseMr",
            needs = {Capability.RC, Capability.ON_DEMAND, Capability.ADVISE_MR})
    default void r1807Advice(RegionRig rig) {
        Context context = rig.open();
        ProtectionDomain pd = rig.domain(context);
        MemoryRegion mr = rig.opened(pd.regMr(Memory.pages(2 * PAGE), rig.rights() | AccessFlags.ON_DEMAND));
        ScatterGatherElement good = ScatterGatherElement.of(mr);
        ScatterGatherElement beyond = ScatterGatherElement.of(mr).addr(mr.addr() + PAGE);
        RegionRig.refusesAdvice(pd, "beyond the region", beyond, Errno.EFAULT);
        ScatterGatherElement unknown = ScatterGatherElement.of(mr).lkey(mr.lkey() ^ 0x5a5a_5a00);
        RegionRig.refusesAdvice(pd, "with a key that no region has", unknown, Errno.ENOENT);
        MemoryRegion plain = rig.opened(pd.regMr(Memory.pages(PAGE), rig.rights()));
        RegionRig.refusesAdvice(pd, "of a region without ON_DEMAND", ScatterGatherElement.of(plain), Errno.EINVAL);
        if (context.queryDevice().maxPd() > 1) {
            ProtectionDomain other = rig.opened(context.allocPd());
            RegionRig.refusesAdvice(other, "of another domain's region", good, Errno.EPERM);
        }
        Seen.refuses("adviseMr of advice 77", () -> pd.adviseMr(NO_ADVICE, 0, good), Errno.EOPNOTSUPP);
        Seen.refuses(
                "adviseMr with flag bit 20, which no level defines,",
                () -> pd.adviseMr(AdviseMrAdvice.PREFETCH, NO_FLAG, good),
                Errno.EOPNOTSUPP);
        pd.adviseMr(AdviseMrAdvice.PREFETCH, AdviseMrFlags.FLUSH, good);
    }

    // ---- masks

    @Rule(
            id = "R18.08",
            since = 3,
            says = "mask bits that the provider does not know are refused, and dropped where they are optional, of"
                    + " keys, memory and domains",
            look = "the functions that VerbsProvider.initContext puts into the table",
            man = "the Javadoc of InputAttr",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS},
            needs = Capability.QUERY_DEVICE_EX)
    default void r1808Masks(RegionRig rig) {
        Context context = rig.open();
        ProtectionDomain pd = rig.domain(context);
        if (rig.has(Capability.FAST_REGISTER)) {
            MrKeyInitAttr attr = new MrKeyInitAttr().maxEntries(1);
            Seen.masks("allocMrKey", attr, () -> rig.opened(pd.allocMrKey(attr)));
        }
        if (rig.has(Capability.DEVICE_MEMORY)) {
            AllocDmAttr attr = new AllocDmAttr().length(64);
            Seen.masks("allocDm", attr, () -> rig.opened(context.allocDm(attr)));
        }
        if (rig.has(Capability.PARENT_DOMAIN)) {
            TdInitAttr td = new TdInitAttr();
            Seen.masks("allocTd", td, () -> rig.opened(context.allocTd(td)));
            ParentDomainInitAttr attr = new ParentDomainInitAttr().pd(pd);
            Seen.masks("allocParentDomain", attr, () -> rig.opened(context.allocParentDomain(attr)));
        }
        if (rig.has(Capability.REG_MR_EX)) {
            RegMrAttrEx attr = rig.named(rig.opened(pd.regMr(Memory.pages(PAGE), rig.rights())), NAME);
            Seen.masks("regMrEx", attr, () -> rig.opened(pd.regMrEx(attr)));
        }
    }
}
