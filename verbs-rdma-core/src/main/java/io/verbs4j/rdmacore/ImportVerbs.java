/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.DeviceMemory;
import io.verbs4j.Errno;
import io.verbs4j.ExportedFd;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsObject;
import io.verbs4j.natives.call.Libc;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.layout.ContextLayout;
import io.verbs4j.rdmacore.layout.DmLayout;
import io.verbs4j.rdmacore.layout.MrLayout;
import io.verbs4j.rdmacore.layout.PdLayout;
import io.verbs4j.rdmacore.object.IbvDm;
import io.verbs4j.rdmacore.object.IbvMr;
import io.verbs4j.rdmacore.object.IbvObject;
import io.verbs4j.rdmacore.object.NativeDeviceMemory;
import io.verbs4j.rdmacore.object.NativeMemoryRegion;
import io.verbs4j.rdmacore.object.NativeProtectionDomain;
import io.verbs4j.slot.ExportDevice;
import io.verbs4j.slot.ExportHandle;
import io.verbs4j.slot.ImportDm;
import io.verbs4j.slot.ImportMr;
import io.verbs4j.slot.ImportPd;
import io.verbs4j.slot.UnimportDm;
import io.verbs4j.slot.UnimportMr;
import io.verbs4j.slot.UnimportPd;

/**
 * Implements the verbs by which contexts share objects. An imported object is an object of the C library around a
 * kernel handle. Unimporting frees only the former, and C defines no failure for it.
 */
final class ImportVerbs {
    /** Not a handle: the kernel's handles are never negative. */
    private static final int NO_HANDLE = -1;

    private final NativeContext base;
    private final NativeFunction importPd = Libibverbs.find("ibv_import_pd");
    private final NativeFunction unimportPd = Libibverbs.find("ibv_unimport_pd");
    private final NativeFunction importMr = Libibverbs.find("ibv_import_mr");
    private final NativeFunction unimportMr = Libibverbs.find("ibv_unimport_mr");
    private final NativeFunction importDm = Libibverbs.find("ibv_import_dm");
    private final NativeFunction unimportDm = Libibverbs.find("ibv_unimport_dm");

    ImportVerbs(NativeContext base) {
        this.base = base;
    }

    /**
     * Fills the slots if the driver supports importing: domains and regions since release 31, device memory since 35.
     */
    void fill(ContextTable table) {
        if (importPd == null || unimportPd == null || importMr == null || unimportMr == null || !driverImports()) {
            return;
        }
        table.fillProvider(ContextSlot.IMPORT_PD, (ImportPd) this::importPd);
        table.fillProvider(ContextSlot.UNIMPORT_PD, (UnimportPd) this::unimportPd);
        table.fillProvider(ContextSlot.IMPORT_MR, (ImportMr) this::importMr);
        table.fillProvider(ContextSlot.UNIMPORT_MR, (UnimportMr) this::unimportMr);
        table.fillProvider(ContextSlot.EXPORT_DEVICE, (ExportDevice) this::exportDevice);
        table.fillProvider(ContextSlot.EXPORT_HANDLE, (ExportHandle) this::exportHandle);
        if (importDm != null && unimportDm != null) {
            table.fillProvider(ContextSlot.IMPORT_DM, (ImportDm) this::importDm);
            table.fillProvider(ContextSlot.UNIMPORT_DM, (UnimportDm) this::unimportDm);
        }
    }

    /**
     * Returns whether the driver can import objects. If that is not known, asks it to import an impossible domain: if
     * the driver imports no domains, libibverbs itself says so.
     */
    private boolean driverImports() {
        if (base.quirks().importsObjects()) {
            return true;
        }
        long pd = importPd.call(base.address(), NO_HANDLE);
        if (pd == 0) {
            return !Answers.isLacking(Answers.errno(-1));
        }
        unimportPd.call(pd);
        return true;
    }

    private ProtectionDomain importPd(int handle) {
        long pd = Answers.checkPointer("import_pd", importPd.call(base.address(), handle));
        return new NativeProtectionDomain(base.context(), pd);
    }

    private void unimportPd(ProtectionDomain pd) {
        IbvObject domain = IbvObject.of(pd);
        domain.pin().closeFor(() -> unimportPd.call(domain.address()));
    }

    /**
     * Imports a region. It is not added to the regions that this process can read and write itself, because its
     * addresses are those of the process that registered it.
     */
    private MemoryRegion importMr(ProtectionDomain pd, int handle) {
        long mr = Answers.checkPointer("import_mr", importMr.call(IbvObject.addressOf(pd), handle));
        long addr = NativeMemory.getLong(mr + MrLayout.ADDR);
        long length = NativeMemory.getLong(mr + MrLayout.LENGTH);
        return new NativeMemoryRegion(pd, addr, length, 0, new IbvMr(mr));
    }

    private void unimportMr(MemoryRegion mr) {
        IbvMr region = ((NativeMemoryRegion) mr).ibv;
        region.pin().closeFor(() -> unimportMr.call(region.address()));
    }

    /** Imports device memory. Only the driver knows its true length, and checks each access. */
    private DeviceMemory importDm(int handle, long length) {
        long dm = Answers.checkPointer("import_dm", importDm.call(base.address(), handle));
        return new NativeDeviceMemory(base.context(), length, new IbvDm(dm, length));
    }

    private void unimportDm(DeviceMemory dm) {
        IbvDm memory = ((NativeDeviceMemory) dm).ibv;
        memory.pin().closeFor(() -> unimportDm.call(memory.address()));
    }

    private ExportedFd exportDevice() {
        int fd = ImportedDevice.duplicate(NativeMemory.getInt(base.address() + ContextLayout.CMD_FD));
        if (fd < 0) {
            throw new VerbsException(
                    Libc.errno(),
                    "export_device",
                    "the process can't open another descriptor; close some, or raise the limit (ulimit -n)");
        }
        return new OwnedFd(fd);
    }

    private int exportHandle(VerbsObject object) {
        if (object instanceof ProtectionDomain pd) {
            return NativeMemory.getInt(IbvObject.addressOf(pd) + PdLayout.HANDLE);
        }
        if (object instanceof NativeMemoryRegion mr) {
            return NativeMemory.getInt(mr.ibv.address() + MrLayout.HANDLE);
        }
        if (importDm != null && object instanceof NativeDeviceMemory dm) {
            return NativeMemory.getInt(dm.ibv.address() + DmLayout.HANDLE);
        }
        throw new VerbsException(
                Errno.EOPNOTSUPP,
                "export_handle",
                importDm == null && object instanceof DeviceMemory
                        ? "the loaded libibverbs can't share device memory: ibv_import_dm came with rdma-core 35"
                        : "the device shares only protection domains, memory regions and device memory");
    }
}
