/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.AccessFlags;
import io.verbs4j.AdviseMrAdvice;
import io.verbs4j.AdviseMrFlags;
import io.verbs4j.AllocDmAttr;
import io.verbs4j.Context;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.InputAttr;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MrKeyInitAttr;
import io.verbs4j.OdpGeneralCaps;
import io.verbs4j.ParentDomainInitAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.RegMrAttrEx;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.TdInitAttr;
import io.verbs4j.VerbsException;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** R18: regions of level 3: by any address, of files, from 0, of nothing, on demand. */
abstract class RegionRules extends KeyRules {
    private static final int NO_FLAG = 1 << 20;
    private static final int NO_ADVICE = 77;
    private static final long UNKNOWN = 1L << 30;

    /** A name that no memory of a process has. */
    private static final long NAME = 0x5000_0000_0000L;

    /** For {@link ProviderKit}. */
    RegionRules() {}

    @Rule(
            id = "R18.01",
            since = 3,
            says =
                    "what of memory and domains the kit is told of is what queryDeviceEx tells and the verbs do; else they answer EOPNOTSUPP",
            look = {"the functions that VerbsProvider.initContext puts into the table", "ContextOps.regMrBuffer"},
            man = "the Javadoc of DeviceAttrEx and of the verbs of level 3, and the has... methods of the kit",
            needs = {Capability.RC, Capability.QUERY_DEVICE_EX})
    final void r1801Told() throws IOException {
        Context context = open();
        ProtectionDomain pd = domain(context);
        DeviceAttrEx attr = context.queryDeviceEx();
        ByteBuffer memory = pages(PAGE);
        told(Capability.FAST_REGISTER, "maxFastRegLen", attr.maxFastRegLen() != 0);
        told(Capability.DEVICE_MEMORY, "maxDmSize", attr.maxDmSize() != 0);
        told(Capability.ON_DEMAND, "SUPPORT in odpGeneralCaps", (attr.odpGeneralCaps() & OdpGeneralCaps.SUPPORT) != 0);
        right(attr, pd, memory, Capability.ZERO_BASED, AccessFlags.ZERO_BASED);
        right(attr, pd, memory, Capability.ON_DEMAND, AccessFlags.ON_DEMAND);
        if (hasFlush()) { // who can't ask for it may still give the right
            right(attr, pd, memory, Capability.FLUSH, AccessFlags.FLUSH_GLOBAL);
        }
        MrKeyInitAttr key = new MrKeyInitAttr().maxEntries(1);
        verb(Capability.FAST_REGISTER, "allocMrKey", () -> opened(pd.allocMrKey(key)));
        verb(Capability.NULL_MR, "allocNullMr", () -> opened(pd.allocNullMr()));
        verb(Capability.DEVICE_MEMORY, "allocDm", () -> opened(context.allocDm(new AllocDmAttr().length(64))));
        verb(Capability.PARENT_DOMAIN, "allocTd", () -> opened(context.allocTd(new TdInitAttr())));
        ParentDomainInitAttr parent = new ParentDomainInitAttr().pd(pd);
        verb(Capability.PARENT_DOMAIN, "allocParentDomain", () -> opened(context.allocParentDomain(parent)));
        if (hasParentDomain()) {
            RingLog log = new RingLog(null);
            verb(
                    Capability.RING_ALLOCATORS,
                    "allocParentDomain with allocators",
                    () -> opened(context.allocParentDomain(
                            new ParentDomainInitAttr().pd(pd).allocators(log))));
        }
        MemoryRegion mr = opened(pd.regMr(memory, rights()));
        RegMrAttrEx named = named(mr, NAME);
        verb(Capability.REG_MR_EX, "regMrEx with iova", () -> opened(pd.regMrEx(named)));
        ScatterGatherElement advised = ScatterGatherElement.of(
                hasOnDemand() ? opened(pd.regMr(memory, rights() | AccessFlags.ON_DEMAND)) : mr);
        verb(Capability.ADVISE_MR, "adviseMr", () -> pd.adviseMr(AdviseMrAdvice.PREFETCH, 0, advised));
        files(pd);
    }

    /** What is asked of files: refused with whatever says best why, where it is not there. */
    private void files(ProtectionDomain pd) throws IOException {
        Path path = file(PAGE);
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            int fd = descriptor(path);
            if (hasDmabufOfFiles() && fd >= 0) {
                opened(pd.regMrEx(described(fd, 0, PAGE)));
            } else if (fd >= 0) {
                Seen.check(
                        !accepts(() -> opened(pd.regMrEx(described(fd, 0, PAGE)))),
                        "regMrEx of a file, where hasDmabufOfFiles() says false, was accepted");
            }
            Seen.check(file.length() == PAGE, "the file has " + file.length() + " bytes");
        }
        ByteBuffer mapped = map(path);
        Runnable persistent = () -> opened(pd.regMr(mapped, rights() | AccessFlags.FLUSH_PERSISTENT));
        if (hasFlushPersistent()) {
            persistent.run();
        } else {
            Seen.refuses(
                    "regMr of a file with FLUSH_PERSISTENT, where hasFlushPersistent() says false,",
                    persistent,
                    Errno.EOPNOTSUPP,
                    Errno.EINVAL);
        }
    }

    private static boolean accepts(Runnable verb) {
        try {
            verb.run();
            return true;
        } catch (VerbsException e) {
            return false;
        }
    }

    private void told(Capability capability, String what, boolean there) {
        Seen.equal(
                "whether queryDeviceEx tells " + what + ", where " + capability.method() + "() says "
                        + capability.in(this) + ",",
                capability.in(this),
                there);
    }

    private void right(DeviceAttrEx attr, ProtectionDomain pd, ByteBuffer memory, Capability capability, int access) {
        told(capability, AccessFlags.toString(access) + " in mrAccessFlags", (attr.mrAccessFlags() & access) != 0);
        verb(
                capability,
                "regMr with " + AccessFlags.toString(access),
                () -> opened(pd.regMr(memory, rights() | access)));
    }

    private void verb(Capability capability, String what, Runnable verb) {
        String call = what + ", where " + capability.method() + "() says " + capability.in(this) + ",";
        if (!capability.in(this)) {
            Seen.refuses(call, verb, Errno.EOPNOTSUPP);
            return;
        }
        try {
            verb.run();
        } catch (VerbsException e) {
            Seen.check(false, call + " answered " + e.getMessage());
        }
    }

    private int rights() {
        return AccessFlags.LOCAL_WRITE | (hasRdmaWrite() ? AccessFlags.REMOTE_WRITE : 0);
    }

    // ---- by any address

    private RegMrAttrEx named(MemoryRegion memory, long name) {
        return new RegMrAttrEx()
                .addr(memory.addr())
                .length(memory.length())
                .access(rights())
                .iova(name);
    }

    private RegMrAttrEx described(int fd, long offset, long length) {
        return new RegMrAttrEx()
                .fd(fd)
                .fdOffset(offset)
                .length(length)
                .iova(NAME)
                .access(rights());
    }

    SendWorkRequest write(long wrId, MemoryRegion there, long addr, int length) {
        return a.wr(WrOpcode.RDMA_WRITE, wrId, a.sge(0, length))
                .remoteAddr(addr)
                .rkey(there.rkey());
    }

    void written(long wrId, MemoryRegion there, long addr, int length) {
        a.post(write(wrId, there, addr, length));
        a.next(wrId, WcStatus.SUCCESS);
    }

    @Rule(
            id = "R18.02",
            since = 3,
            says =
                    "a region of regMrEx has the address that it was given, for the peer and for its own side, and no other",
            look = "the function in the slot REG_MR_EX",
            man = "ibv_reg_mr_ex(3), ibv_reg_mr_iova(3), and the Javadoc of RegMrAttrEx",
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.REG_MR_EX})
    final void r1802AnyAddress() {
        start();
        ByteBuffer memory = pages(2 * PAGE);
        MemoryRegion plain = b.region(memory, rights());
        MemoryRegion mr = made(MemoryRegion.class, b.pd.regMrEx(named(plain, NAME)));
        Seen.equal("addr() of regMrEx with iova", hex(NAME), hex(mr.addr()));
        Seen.equal("length()", 2L * PAGE, mr.length());
        written(1, mr, NAME + 100, 5000);
        holds("what was written by iova", memory, 100, a.memory, 0, 5000);
        b.post(b.wr(WrOpcode.RDMA_WRITE, 2, ScatterGatherElement.of(mr, 100, 5000))
                .remoteAddr(a.mr.addr() + 10_000)
                .rkey(a.mr.rkey()));
        b.next(2, WcStatus.SUCCESS);
        holds("what was written from iova", a.memory.buffer, 10_000, a.memory, 0, 5000);
        MemoryRegion same = opened(
                b.pd.regMrEx(new RegMrAttrEx().addr(plain.addr()).length(PAGE).access(rights())));
        Seen.equal("addr() of regMrEx without iova", hex(plain.addr()), hex(same.addr()));
        fails(write(3, mr, plain.addr(), 8), WcStatus.REM_ACCESS_ERR);
    }

    /** The descriptor that this process has of a file; negative where the operating system does not tell. */
    private static int descriptor(Path path) throws IOException {
        Path all = Path.of("/proc/self/fd");
        if (!Files.isDirectory(all)) {
            return -1;
        }
        try (Stream<Path> list = Files.list(all)) {
            for (Path one : (Iterable<Path>) list::iterator) {
                try {
                    if (Files.readSymbolicLink(one).equals(path.toRealPath())) {
                        return Integer.parseInt(one.getFileName().toString());
                    }
                } catch (IOException e) {
                    assert e != null; // it was closed meanwhile
                }
            }
        }
        return -1;
    }

    @Rule(
            id = "R18.03",
            since = 3,
            says =
                    "a region of a descriptor is that part of what is behind it, also when the descriptor is closed; EBADF where there is none",
            look = "the function in the slot REG_MR_EX",
            man = "ibv_reg_dmabuf_mr(3), and the Javadoc of RegMrAttrEx",
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.REG_MR_EX, Capability.DMABUF})
    final void r1803Descriptor() throws IOException {
        start();
        Path path = file(4 * PAGE);
        MemoryRegion mr;
        int fd;
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            Seen.check(file.length() == 4 * PAGE, "the file has " + file.length() + " bytes");
            fd = descriptor(path);
            Assumptions.assumeTrue(fd >= 0, "the operating system does not tell the numbers of descriptors");
            mr = opened(b.pd.regMrEx(described(fd, PAGE, 2 * PAGE)));
            int number = fd;
            Seen.refuses(
                    "regMrEx beyond the end of the file",
                    () -> opened(b.pd.regMrEx(described(number, 2 * PAGE, 3 * PAGE))),
                    Errno.EINVAL);
        }
        Seen.equal("addr()", hex(NAME), hex(mr.addr()));
        written(1, mr, NAME + 10, 5000);
        holds("the file", ByteBuffer.wrap(Files.readAllBytes(path)), PAGE + 10, a.memory, 0, 5000);
        Seen.refuses(
                "regMrEx of descriptor " + Integer.MAX_VALUE,
                () -> opened(b.pd.regMrEx(described(Integer.MAX_VALUE, 0, PAGE))),
                Errno.EBADF);
        fails(write(2, mr, NAME + 2 * PAGE - 4, 8), WcStatus.REM_ACCESS_ERR);
    }

    @Rule(
            id = "R18.04",
            since = 3,
            says = "addresses in a region of ZERO_BASED count from 0, for the peer and for its own side",
            look = "ContextOps.regMrBuffer",
            man = "ibv_reg_mr(3) (IBV_ACCESS_ZERO_BASED)",
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.ZERO_BASED})
    final void r1804ZeroBased() {
        start();
        ByteBuffer memory = pages(2 * PAGE);
        MemoryRegion mr = b.region(memory, rights() | AccessFlags.ZERO_BASED);
        Seen.equal("addr() of a region with ZERO_BASED", 0L, mr.addr());
        written(1, mr, 0, 100);
        written(2, mr, 2 * PAGE - 1, 1);
        holds("the beginning of the region", memory, 0, a.memory, 0, 100);
        holds("the last byte of the region", memory, 2 * PAGE - 1, a.memory, 0, 1);
        ScatterGatherElement own =
                new ScatterGatherElement().addr(10).length(50).lkey(mr.lkey());
        b.post(b.wr(WrOpcode.RDMA_WRITE, 3, own).remoteAddr(a.mr.addr() + 9000).rkey(a.mr.rkey()));
        b.next(3, WcStatus.SUCCESS);
        holds("what was written from there", a.memory.buffer, 9000, a.memory, 10, 50);
        fails(write(4, mr, 2 * PAGE - 1, 2), WcStatus.REM_ACCESS_ERR);
    }

    @Rule(
            id = "R18.05",
            since = 3,
            says = "what is written to a region of nothing vanishes, and zeros are read from it",
            look = "the function in the slot ALLOC_NULL_MR",
            man = "ibv_alloc_null_mr(3), DESCRIPTION",
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.RDMA_READ, Capability.NULL_MR})
    final void r1805Nothing() {
        start(s -> s.maxSge = 2);
        MemoryRegion nothing = made(MemoryRegion.class, a.pd.allocNullMr());
        Seen.equal("addr() of a region of nothing", 0L, nothing.addr());
        Seen.equal("length()", -1L, nothing.length());
        ScatterGatherElement hole =
                new ScatterGatherElement().addr(4000).length(100).lkey(nothing.lkey());
        a.post(a.to(b, 0, a.wr(WrOpcode.RDMA_READ, 1, hole, a.sge(200, 50))));
        a.next(1, WcStatus.SUCCESS);
        a.memory.holds(200, b.memory, 100, 50);
        a.memory.untouched(0, 200);
        a.post(a.to(b, 1000, a.wr(WrOpcode.RDMA_WRITE, 2, a.sge(0, 10), hole)));
        a.next(2, WcStatus.SUCCESS);
        b.memory.holds(1000, a.memory, 0, 10);
        for (int i = 0; i < 100; i++) {
            Seen.equal("byte " + i + " of nothing", (byte) 0, b.memory.buffer.get(1010 + i));
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
    final void r1806OnDemand() {
        start();
        ByteBuffer memory = pages(16 * PAGE);
        MemoryRegion mr = b.region(memory, rights() | AccessFlags.ON_DEMAND);
        written(1, mr, mr.addr() + 100, 20_000);
        holds("memory that was paged in on demand", memory, 100, a.memory, 0, 20_000);
        if (!hasAdviseMr()) {
            return;
        }
        for (int advice = AdviseMrAdvice.PREFETCH; advice <= AdviseMrAdvice.PREFETCH_NO_FAULT; advice++) {
            for (int flags : new int[] {0, AdviseMrFlags.FLUSH}) {
                b.pd.adviseMr(
                        advice,
                        flags,
                        ScatterGatherElement.of(mr, 0, PAGE),
                        ScatterGatherElement.of(mr, 8 * PAGE, 8 * PAGE));
            }
        }
        written(2, mr, mr.addr() + 30_000, 30_000);
        holds("memory that was advised of", memory, 30_000, a.memory, 0, 30_000);
    }

    @Rule(
            id = "R18.07",
            since = 3,
            says = "advice about memory that is not to be had, and advice that nobody has heard of, is refused",
            look = "the function in the slot ADVISE_MR",
            man = "ibv_advise_mr(3), RETURN VALUE, and the Javadoc of ProtectionDomain.adviseMr",
            needs = {Capability.RC, Capability.ON_DEMAND, Capability.ADVISE_MR})
    final void r1807Advice() {
        Context context = open();
        ProtectionDomain pd = domain(context);
        MemoryRegion mr = opened(pd.regMr(pages(2 * PAGE), rights() | AccessFlags.ON_DEMAND));
        ScatterGatherElement good = ScatterGatherElement.of(mr);
        ScatterGatherElement beyond = ScatterGatherElement.of(mr).addr(mr.addr() + PAGE);
        refusesAdvice(pd, "beyond the region", beyond, Errno.EFAULT);
        ScatterGatherElement unknown = ScatterGatherElement.of(mr).lkey(mr.lkey() ^ 0x5a5a_5a00);
        refusesAdvice(pd, "by a key that no region has", unknown, Errno.ENOENT);
        MemoryRegion plain = opened(pd.regMr(pages(PAGE), rights()));
        refusesAdvice(pd, "of a region without ON_DEMAND", ScatterGatherElement.of(plain), Errno.EINVAL);
        if (context.queryDevice().maxPd() > 1) {
            ProtectionDomain other = opened(context.allocPd());
            refusesAdvice(other, "of another domain's region", good, Errno.EPERM);
        }
        Seen.refuses("adviseMr of advice 77", () -> pd.adviseMr(NO_ADVICE, 0, good), Errno.EOPNOTSUPP);
        Seen.refuses(
                "adviseMr with flag bit 20, which no level has,",
                () -> pd.adviseMr(AdviseMrAdvice.PREFETCH, NO_FLAG, good),
                Errno.EOPNOTSUPP);
        pd.adviseMr(AdviseMrAdvice.PREFETCH, AdviseMrFlags.FLUSH, good);
    }

    private static void refusesAdvice(ProtectionDomain pd, String what, ScatterGatherElement sge, int errno) {
        Seen.refuses("adviseMr " + what, () -> pd.adviseMr(AdviseMrAdvice.PREFETCH, AdviseMrFlags.FLUSH, sge), errno);
    }

    // ---- masks

    @Rule(
            id = "R18.08",
            since = 3,
            says =
                    "mask bits that the provider does not know are refused, and dropped where they are optional, of keys, memory and domains",
            look = "the functions that VerbsProvider.initContext puts into the table",
            man = "the Javadoc of InputAttr",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS},
            needs = Capability.QUERY_DEVICE_EX)
    final void r1808Masks() {
        Context context = open();
        ProtectionDomain pd = domain(context);
        if (hasFastRegister()) {
            MrKeyInitAttr attr = new MrKeyInitAttr().maxEntries(1);
            masks("allocMrKey", attr, () -> opened(pd.allocMrKey(attr)));
        }
        if (hasDeviceMemory()) {
            AllocDmAttr attr = new AllocDmAttr().length(64);
            masks("allocDm", attr, () -> opened(context.allocDm(attr)));
        }
        if (hasParentDomain()) {
            TdInitAttr td = new TdInitAttr();
            masks("allocTd", td, () -> opened(context.allocTd(td)));
            ParentDomainInitAttr attr = new ParentDomainInitAttr().pd(pd);
            masks("allocParentDomain", attr, () -> opened(context.allocParentDomain(attr)));
        }
        if (hasRegMrEx()) {
            RegMrAttrEx attr = named(opened(pd.regMr(pages(PAGE), rights())), NAME);
            masks("regMrEx", attr, () -> opened(pd.regMrEx(attr)));
        }
    }

    /** Checks that a mask bit of no level is refused, and that an optional one is dropped. */
    static void masks(String call, InputAttr attr, Runnable verb) {
        long known = attr.compMask();
        List<long[]> refused = List.of(new long[] {known | UNKNOWN, 0}, new long[] {known, 1});
        for (long[] mask : refused) {
            attr.masks(mask[0], mask[1]);
            Seen.refuses(call + " with a bit in its masks that no level has", verb, Errno.EOPNOTSUPP);
        }
        attr.masks(known | 1L << 60, 0);
        verb.run();
    }
}
