/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static io.verbs4j.compat.kit.ImportRig.BYTES;
import static io.verbs4j.compat.kit.ImportRig.DESCRIBED;
import static io.verbs4j.compat.kit.ImportRig.LENGTH;
import static io.verbs4j.compat.kit.ImportRig.NOBODYS;
import static io.verbs4j.compat.kit.ImportRig.NO_DESCRIPTOR;

import io.verbs4j.AccessFlags;
import io.verbs4j.AllocDmAttr;
import io.verbs4j.Context;
import io.verbs4j.DeviceMemory;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.OpenAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.core.Verbs;
import java.nio.ByteBuffer;

/** R23: contexts that share objects: {@code a} owns them, {@code c} imports them, {@code b} is the peer. */
interface ImportRules {
    @Rule(
            id = "R23.01",
            since = 4,
            says = "an imported region has the keys of its owner's, for the importer's queue pairs and for their peers",
            look = {"the function in the slot IMPORT_MR", "the function in the slot IMPORT_PD"},
            man = DESCRIBED,
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.REGION_KEYS, Capability.IMPORTS})
    default void r2301Keys(ImportRig rig) {
        Side c = rig.importing();
        Seen.equal("lkey() of an imported region", rig.a.mr.lkey(), c.mr.lkey());
        Seen.equal("rkey() of an imported region", rig.a.mr.rkey(), c.mr.rkey());
        Seen.equal("length() of an imported region", rig.a.mr.length(), c.mr.length());
        c.post(rig.write(c, 1, c.mr, rig.a.mr.addr()));
        c.next(1, WcStatus.SUCCESS);
        rig.b.memory.holds(0, rig.a.memory, 0, LENGTH);
        rig.b.post(rig.b
                .wr(WrOpcode.RDMA_WRITE, 2, rig.b.sge(5000, LENGTH))
                .remoteAddr(rig.a.mr.addr() + 7000)
                .rkey(c.mr.rkey()));
        rig.b.next(2, WcStatus.SUCCESS);
        rig.a.memory.holds(7000, rig.b.memory, 5000, LENGTH);
    }

    @Rule(
            id = "R23.02",
            since = 4,
            says = "closing what was imported leaves the owner's objects as they are",
            look = {"the function in the slot UNIMPORT_MR", "the function in the slot UNIMPORT_PD"},
            man = DESCRIBED,
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.IMPORTS})
    default void r2302Unimport(ImportRig rig) {
        rig.start();
        ProtectionDomain pd = rig.importPd(rig.imported(rig.a.context), rig.a.pd);
        MemoryRegion mr = rig.importMr(pd, rig.a.mr);
        Seen.refuses("close of an imported domain with a region", pd::close, Errno.EBUSY);
        mr.close();
        pd.close();
        rig.a.post(rig.write(rig.a, 1, rig.a.mr, rig.a.mr.addr()));
        rig.a.next(1, WcStatus.SUCCESS);
        rig.b.memory.holds(0, rig.a.memory, 0, LENGTH);
    }

    @Rule(
            id = "R23.03",
            since = 4,
            says = "when its owner closes a region, its keys end for those who have imported it",
            look = {"ContextOps.deregMr", "the function in the slot IMPORT_MR"},
            man = DESCRIBED,
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.IMPORTS})
    default void r2303Ends(ImportRig rig) {
        Side c = rig.importing();
        MemoryRegion mr = rig.opened(rig.a.pd.regMr(ByteBuffer.allocateDirect(LENGTH), AccessFlags.LOCAL_WRITE));
        MemoryRegion imported = rig.importMr(c.pd, mr);
        c.post(rig.write(c, 1, imported, mr.addr()));
        c.next(1, WcStatus.SUCCESS);
        long addr = mr.addr();
        mr.close();
        c.post(rig.write(c, 2, imported, addr));
        c.next(2, WcStatus.LOC_PROT_ERR);
    }

    @Rule(
            id = "R23.04",
            since = 4,
            says = "what is no descriptor of a context, and what is no object's number, is refused",
            look = {"VerbsProvider.openDevice", "the functions in the slots IMPORT_PD and IMPORT_MR"},
            man = DESCRIBED,
            needs = {Capability.IMPORTS})
    default void r2304Refused(ImportRig rig) {
        Context owner = rig.open();
        Context other = rig.imported(owner);
        ProtectionDomain pd = rig.importPd(other, rig.domain(owner));
        Seen.refuses(
                "open with a descriptor that does not exist",
                () -> rig.opened(
                        Verbs.open(owner.device(), VerbsLevel.CURRENT, new OpenAttr().importFd(NO_DESCRIPTOR))),
                Errno.EBADF,
                Errno.EINVAL);
        Seen.refuses(
                "importPd of a number that no domain has",
                () -> rig.opened(other.importPd(NOBODYS)),
                Errno.EINVAL,
                Errno.ENOENT);
        Seen.refuses(
                "importMr of a number that no region has",
                () -> rig.opened(pd.importMr(NOBODYS)),
                Errno.EINVAL,
                Errno.ENOENT);
    }

    @Rule(
            id = "R23.05",
            since = 4,
            says = "queue pairs of an imported domain use no memory of the importer's other domains",
            look = {"the function in the slot IMPORT_PD", "QueuePair.postSend"},
            man = DESCRIBED,
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.IMPORTS})
    default void r2305Domains(ImportRig rig) {
        Side c = rig.importing();
        ProtectionDomain own = rig.opened(c.context.allocPd());
        MemoryRegion mr = rig.opened(own.regMr(ByteBuffer.allocateDirect(LENGTH), AccessFlags.LOCAL_WRITE));
        c.post(rig.write(c, 1, mr, mr.addr()));
        c.next(1, WcStatus.LOC_PROT_ERR);
    }

    @Rule(
            id = "R23.06",
            since = 4,
            says = "imported memory on the device is the owner's, as far as the length that was asked for",
            look = {"the functions in the slots IMPORT_DM and UNIMPORT_DM"},
            man = "ibv_import_dm(3), and the Javadoc of Context.importDm",
            needs = {Capability.IMPORTS, Capability.DEVICE_MEMORY})
    default void r2306DeviceMemory(ImportRig rig) {
        Context owner = rig.open();
        DeviceMemory dm = rig.opened(owner.allocDm(new AllocDmAttr().length(BYTES)));
        DeviceMemory same = rig.made(DeviceMemory.class, rig.imported(owner).importDm(dm.exportHandle(), BYTES / 2));
        Seen.equal("length() of imported memory", (long) BYTES / 2, same.length());
        ByteBuffer from = ByteBuffer.allocateDirect(64);
        from.putLong(0, 4711);
        Seen.errno("copyTo imported memory", 0, same.copyTo(32, from));
        ByteBuffer to = ByteBuffer.allocateDirect(64);
        Seen.errno("copyFrom the owner's memory", 0, dm.copyFrom(to, 32));
        Seen.equal("the value copied to imported memory", 4711L, to.getLong(0));
        Seen.errno("copyTo beyond the length", Errno.EFAULT, same.copyTo(BYTES / 2 - 32, from));
        same.close();
        Seen.errno("copyFrom the owner's memory after unimport", 0, dm.copyFrom(to, 32));
        dm.close();
    }
}
