/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.AccessFlags;
import io.verbs4j.AllocDmAttr;
import io.verbs4j.Context;
import io.verbs4j.DeviceMemory;
import io.verbs4j.Errno;
import io.verbs4j.ExportedFd;
import io.verbs4j.MemoryRegion;
import io.verbs4j.OpenAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.core.Verbs;
import java.nio.ByteBuffer;

/** R23: contexts that share objects: {@code a} has them, {@code c} imports them, {@code b} is the peer. */
abstract class ImportRules extends SrdErrorRules {
    private static final String DESCRIBED =
            "ibv_import_device(3), ibv_import_pd(3), ibv_import_mr(3), and the Javadoc of Context.exportDevice and importPd";
    private static final int NO_DESCRIPTOR = 1 << 24;
    private static final int NOBODYS = 0x7fff_fff0;
    private static final int LENGTH = 1000;
    private static final int BYTES = 256;

    /** For {@link ProviderKit}. */
    ImportRules() {}

    /** Opens the device once more, for the objects of a context. */
    private Context imported(Context owner) {
        try (ExportedFd fd = owner.exportDevice()) {
            return opened(Verbs.open(owner.device(), VerbsLevel.CURRENT, new OpenAttr().importFd(fd.fd())));
        }
    }

    private ProtectionDomain importPd(Context context, ProtectionDomain pd) {
        return made(ProtectionDomain.class, context.importPd(pd.exportHandle()));
    }

    private MemoryRegion importMr(ProtectionDomain pd, MemoryRegion mr) {
        return made(MemoryRegion.class, pd.importMr(mr.exportHandle()));
    }

    /** A side that has the domain and the memory of {@code a}, connected to {@code b}. */
    private Side importing() {
        make(s -> {});
        Side c = new Side(this, imported(a.context), 3);
        c.pd = importPd(c.context, a.pd);
        c.mr = importMr(c.pd, a.mr);
        c.cq = opened(c.context.createCq(c.cqe));
        c.qp = c.anotherQp();
        Side.connect(c, b);
        return c;
    }

    private SendWorkRequest write(Side c, long wrId, MemoryRegion mr, long addr) {
        ScatterGatherElement part =
                new ScatterGatherElement().addr(addr).length(LENGTH).lkey(mr.lkey());
        return c.to(b, 0, c.wr(WrOpcode.RDMA_WRITE, wrId, part));
    }

    @Rule(
            id = "R23.01",
            since = 4,
            says = "an imported region has the keys of its owner's, for the importer's queue pairs and for their peers",
            look = {"the function in the slot IMPORT_MR", "the function in the slot IMPORT_PD"},
            man = DESCRIBED,
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.REGION_KEYS, Capability.IMPORTS})
    final void r2301Keys() {
        Side c = importing();
        Seen.equal("lkey() of an imported region", a.mr.lkey(), c.mr.lkey());
        Seen.equal("rkey() of an imported region", a.mr.rkey(), c.mr.rkey());
        Seen.equal("length() of an imported region", a.mr.length(), c.mr.length());
        c.post(write(c, 1, c.mr, a.mr.addr()));
        c.next(1, WcStatus.SUCCESS);
        b.memory.holds(0, a.memory, 0, LENGTH);
        b.post(b.wr(WrOpcode.RDMA_WRITE, 2, b.sge(5000, LENGTH))
                .remoteAddr(a.mr.addr() + 7000)
                .rkey(c.mr.rkey()));
        b.next(2, WcStatus.SUCCESS);
        a.memory.holds(7000, b.memory, 5000, LENGTH);
    }

    @Rule(
            id = "R23.02",
            since = 4,
            says = "closing what was imported leaves the owner's objects as they are",
            look = {"the function in the slot UNIMPORT_MR", "the function in the slot UNIMPORT_PD"},
            man = DESCRIBED,
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.IMPORTS})
    final void r2302Unimport() {
        start();
        ProtectionDomain pd = importPd(imported(a.context), a.pd);
        MemoryRegion mr = importMr(pd, a.mr);
        Seen.refuses("close of an imported domain with a region", pd::close, Errno.EBUSY);
        mr.close();
        pd.close();
        a.post(write(a, 1, a.mr, a.mr.addr()));
        a.next(1, WcStatus.SUCCESS);
        b.memory.holds(0, a.memory, 0, LENGTH);
    }

    @Rule(
            id = "R23.03",
            since = 4,
            says = "when its owner closes a region, its keys end for those who have imported it",
            look = {"ContextOps.deregMr", "the function in the slot IMPORT_MR"},
            man = DESCRIBED,
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.IMPORTS})
    final void r2303Ends() {
        Side c = importing();
        MemoryRegion mr = opened(a.pd.regMr(ByteBuffer.allocateDirect(LENGTH), AccessFlags.LOCAL_WRITE));
        MemoryRegion imported = importMr(c.pd, mr);
        c.post(write(c, 1, imported, mr.addr()));
        c.next(1, WcStatus.SUCCESS);
        long addr = mr.addr();
        mr.close();
        c.post(write(c, 2, imported, addr));
        c.next(2, WcStatus.LOC_PROT_ERR);
    }

    @Rule(
            id = "R23.04",
            since = 4,
            says = "what is no descriptor of a context, and what is no object's number, is refused",
            look = {"VerbsProvider.openDevice", "the functions in the slots IMPORT_PD and IMPORT_MR"},
            man = DESCRIBED,
            needs = {Capability.IMPORTS})
    final void r2304Refused() {
        Context owner = open();
        Context other = imported(owner);
        ProtectionDomain pd = importPd(other, domain(owner));
        Seen.refuses(
                "open with a descriptor that there is not",
                () -> opened(Verbs.open(owner.device(), VerbsLevel.CURRENT, new OpenAttr().importFd(NO_DESCRIPTOR))),
                Errno.EBADF,
                Errno.EINVAL);
        Seen.refuses(
                "importPd of a number that nobody has",
                () -> opened(other.importPd(NOBODYS)),
                Errno.EINVAL,
                Errno.ENOENT);
        Seen.refuses(
                "importMr of a number that nobody has", () -> opened(pd.importMr(NOBODYS)), Errno.EINVAL, Errno.ENOENT);
    }

    @Rule(
            id = "R23.05",
            since = 4,
            says = "queue pairs of an imported domain use no memory of the importer's other domains",
            look = {"the function in the slot IMPORT_PD", "QueuePair.postSend"},
            man = DESCRIBED,
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.IMPORTS})
    final void r2305Domains() {
        Side c = importing();
        ProtectionDomain own = opened(c.context.allocPd());
        MemoryRegion mr = opened(own.regMr(ByteBuffer.allocateDirect(LENGTH), AccessFlags.LOCAL_WRITE));
        c.post(write(c, 1, mr, mr.addr()));
        c.next(1, WcStatus.LOC_PROT_ERR);
    }

    @Rule(
            id = "R23.06",
            since = 4,
            says = "imported memory on the device is the owner's, as far as the length that was asked for",
            look = {"the functions in the slots IMPORT_DM and UNIMPORT_DM"},
            man = "ibv_import_dm(3), and the Javadoc of Context.importDm",
            needs = {Capability.IMPORTS, Capability.DEVICE_MEMORY})
    final void r2306DeviceMemory() {
        Context owner = open();
        DeviceMemory dm = opened(owner.allocDm(new AllocDmAttr().length(BYTES)));
        DeviceMemory same = made(DeviceMemory.class, imported(owner).importDm(dm.exportHandle(), BYTES / 2));
        Seen.equal("length() of imported memory", (long) BYTES / 2, same.length());
        ByteBuffer from = ByteBuffer.allocateDirect(64);
        from.putLong(0, 4711);
        Seen.errno("copyTo imported memory", 0, same.copyTo(32, from));
        ByteBuffer to = ByteBuffer.allocateDirect(64);
        Seen.errno("copyFrom the owner's memory", 0, dm.copyFrom(to, 32));
        Seen.equal("what was copied to imported memory", 4711L, to.getLong(0));
        Seen.errno("copyTo beyond the length", Errno.EFAULT, same.copyTo(BYTES / 2 - 32, from));
        same.close();
        Seen.errno("copyFrom the owner's memory after unimport", 0, dm.copyFrom(to, 32));
        dm.close();
    }
}
