/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package app;

import io.verbs4j.AccessFlags;
import io.verbs4j.AllocDmAttr;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ContextAttr;
import io.verbs4j.ContextSlot;
import io.verbs4j.DeviceMemory;
import io.verbs4j.Ece;
import io.verbs4j.Errno;
import io.verbs4j.ExportedFd;
import io.verbs4j.MemoryRegion;
import io.verbs4j.OpenAttr;
import io.verbs4j.OpenAttrMask;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.ReregFlags;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Verbs;
import java.nio.ByteBuffer;
import java.util.List;

/** Every argument of the verbs by which contexts share objects, there and back. */
class WitnessedSharing extends WitnessedMemory {
    private static final int FIRST = ContextSlot.IMPORT_PD;
    private static final int LAST = ContextSlot.EXPORT_HANDLE;

    WitnessedSharing(Context context) {
        super(context);
    }

    @Override
    void steps() {
        super.steps();
        boolean there = context.queryContext().hasVerb(FIRST);
        step("slots_of_4", () -> slots(there));
        step("open_import", this::openImport);
        step("slots_of_ece", () -> slotsOfEce(context.queryContext().hasVerb(ContextSlot.SET_ECE)));
        if (there) {
            step("exports", this::exports);
            step("import_pd", this::importPd);
            step("import_mr", this::importMr);
            step("import_dm", this::importDm);
            step("ece", this::options);
        }
    }

    private void slots(boolean there) {
        slotsOf4(FIRST, LAST, there);
        equal(5, ContextSlot.level(ContextSlot.COUNT));
        ContextAttr attr = context.queryContext();
        equal(attr.libraryLevel() >= 4 ? ContextSlot.COUNT : attr.tableSize(), attr.tableSize());
        equal("export_handle", ContextSlot.verb(LAST));
    }

    private void slotsOfEce(boolean there) {
        slotsOf4(ContextSlot.SET_ECE, ContextSlot.QUERY_ECE, there);
        equal("query_ece", ContextSlot.verb(ContextSlot.QUERY_ECE));
    }

    /** Checks the slots of level 4 from the first to the last, of which a provider has all or none. */
    final void slotsOf4(int first, int last, boolean there) {
        ContextAttr attr = context.queryContext();
        boolean library = attr.libraryLevel() >= 4;
        for (int slot = first; slot <= last; slot++) {
            equal(4, ContextSlot.level(slot));
            equal(false, ContextSlot.hasFallback(slot));
            equal(library ? 4L : 0L, attr.slots().get(slot, ContextAttr.SLOT_LEVEL));
            equal(there, attr.hasVerb(slot));
            equal(there, attr.canCall(slot));
        }
    }

    /**
     * The attribute is the provider's alone: it gets there by every library, and none takes it for done that nobody has
     * read.
     */
    private void openImport() {
        OpenAttr attr = new OpenAttr().importFd(77);
        equal(OpenAttrMask.IMPORT_FD, attr.compMask());
        if (BaseVerbs.providerLevel < 4) {
            refused(Errno.EOPNOTSUPP, "IMPORT_FD", () -> Verbs.open(context.device(), VerbsLevel.CURRENT, attr));
            return;
        }
        try (Context other = Verbs.open(context.device(), VerbsLevel.CURRENT, attr)) {
            same(attr, other.openAttr());
            equal("77", new WitnessedSharing(other).last().get("importFd"));
        }
    }

    private void exports() {
        try (ExportedFd fd = context.exportDevice()) {
            equal(80_000, fd.fd());
        }
        int number = pd.exportHandle();
        equal("@" + System.identityHashCode(pd), last().get("handle"));
        equal(number, pd.exportHandle());
        try (MemoryRegion mr = pd.regMr(ByteBuffer.allocateDirect(8), 0)) {
            equal(false, mr.isImported());
            equal(true, mr.exportHandle() != number);
            equal("@" + System.identityHashCode(mr), last().get("handle"));
        }
        DeviceMemory dm = context.allocDm(new AllocDmAttr().length(8));
        equal(true, dm.exportHandle() != number);
        equal("@" + System.identityHashCode(dm), last().get("handle"));
        dm.close();
        refused(Errno.EINVAL, "export_handle", dm::exportHandle);
    }

    private void importPd() {
        int number = pd.exportHandle();
        ProtectionDomain same = context.importPd(number);
        equal("" + number, last().get("number"));
        equal(List.of(true, false), List.of(same.isImported(), pd.isImported()));
        MemoryRegion mr = same.regMr(ByteBuffer.allocateDirect(8), AccessFlags.LOCAL_WRITE);
        refused(Errno.EBUSY, "unimport_pd", same::close);
        mr.close();
        same.close();
        equal("@" + System.identityHashCode(same), last().get("handle"));
        equal("unimport_pd", last().get("verb"));
        same.close();
        refused(Errno.EINVAL, "closed", () -> same.importMr(1));
        refused(Errno.ENOENT, "-5", () -> context.importPd(-5));
    }

    private void importMr() {
        try (MemoryRegion own = pd.regMr(ByteBuffer.allocateDirect(8), AccessFlags.LOCAL_WRITE)) {
            int number = own.exportHandle();
            MemoryRegion same = pd.importMr(number);
            equal(number + " @" + System.identityHashCode(pd), last().get("number"));
            equal(List.of(true, own.lkey(), pd), List.of(same.isImported(), same.lkey(), same.pd()));
            refused(Errno.EINVAL, "imported", () -> same.rereg(ReregFlags.CHANGE_ACCESS, null, 0, 0, 0));
            same.close();
            equal("unimport_mr", last().get("verb"));
            equal("@" + System.identityHashCode(same), last().get("handle"));
            try (MemoryRegion again = pd.importMr(number)) {
                equal(own.lkey(), again.lkey()); // it is there, as before
            }
        }
    }

    private void importDm() {
        DeviceMemory own = context.allocDm(new AllocDmAttr().length(64));
        int number = own.exportHandle();
        DeviceMemory same = context.importDm(number, 32);
        equal(number + " 32", last().get("number"));
        equal(List.of(true, 32L), List.of(same.isImported(), same.length()));
        int access = AccessFlags.LOCAL_WRITE | AccessFlags.ZERO_BASED;
        refused(Errno.EINVAL, "length", () -> pd.regDmMr(same, 0, 33, access));
        refused(Errno.EINVAL, "length", () -> context.importDm(number, 0));
        MemoryRegion mr = pd.regDmMr(same, 0, 32, access);
        refused(Errno.EBUSY, "unimport_dm", same::close);
        mr.close();
        same.close();
        equal("unimport_dm", last().get("verb"));
        equal("@" + System.identityHashCode(same), last().get("handle"));
        own.close();
        equal("free_dm", last().get("verb"));
    }

    private void options() {
        CompletionQueue cq = context.createCq(4);
        QueuePair qp = pd.createQp(new QpInitAttr().qpType(QpType.RC).sendCq(cq).recvCq(cq).cap(asked()));
        Ece ece = new Ece().vendorId(0x15b3).options(0x80000001);
        arrives(ece, () -> {
            qp.setEce(ece);
            return qp;
        });
        equal("@" + System.identityHashCode(qp), last().get("handle"));
        equal(List.of(0x15b3, -7), List.of(qp.queryEce().vendorId(), qp.queryEce().options()));
        equal("query_ece", last().get("verb"));
        refused(Errno.EOPNOTSUPP, "vendorId is 0", () -> qp.setEce(new Ece()));
        modify(qp);
        refused(Errno.EINVAL, "RESET and INIT", () -> qp.setEce(ece));
        qp.close();
        cq.close();
    }
}
