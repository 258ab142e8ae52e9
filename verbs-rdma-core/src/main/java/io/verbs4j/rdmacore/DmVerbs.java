/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.AccessFlags;
import io.verbs4j.AllocDmAttr;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.DeviceMemory;
import io.verbs4j.Errno;
import io.verbs4j.ExportedFd;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.layout.AllocDmAttrLayout;
import io.verbs4j.rdmacore.layout.ExtendedContextLayout;
import io.verbs4j.rdmacore.object.IbvDm;
import io.verbs4j.rdmacore.object.IbvMr;
import io.verbs4j.rdmacore.object.IbvObject;
import io.verbs4j.rdmacore.object.NativeDeviceMemory;
import io.verbs4j.rdmacore.object.NativeMemoryRegion;
import io.verbs4j.slot.AllocDm;
import io.verbs4j.slot.DmExportDmabufFd;
import io.verbs4j.slot.FreeDm;
import io.verbs4j.slot.RegDmMr;

/** Implements the verbs for device memory. */
final class DmVerbs {
    /** Access flags for a region of device memory; drivers reject all others as invalid. */
    private static final int ACCESS = AccessFlags.LOCAL_WRITE
            | AccessFlags.REMOTE_WRITE
            | AccessFlags.REMOTE_READ
            | AccessFlags.REMOTE_ATOMIC
            | AccessFlags.ZERO_BASED
            | AccessFlags.OPTIONAL_RANGE;

    private final NativeContext base;
    private final NativeFunction allocDm;
    private final NativeFunction freeDm;
    private final NativeFunction regDmMr;
    private final NativeFunction export;

    DmVerbs(NativeContext base) {
        this.base = base;
        allocDm = base.functions().extended(ExtendedContextLayout.ALLOC_DM);
        freeDm = base.functions().extended(ExtendedContextLayout.FREE_DM);
        regDmMr = base.functions().extended(ExtendedContextLayout.REG_DM_MR);
        export = Libibverbs.find("ibv_dm_export_dmabuf_fd");
    }

    void fill(ContextTable table) {
        if (allocDm != null && freeDm != null && regDmMr != null) {
            table.fillProvider(ContextSlot.ALLOC_DM, (AllocDm) this::allocDm);
            table.fillProvider(ContextSlot.FREE_DM, (FreeDm) this::freeDm);
            table.fillProvider(ContextSlot.REG_DM_MR, (RegDmMr) this::regDmMr);
        }
        if (export != null) {
            table.fillProvider(ContextSlot.DM_EXPORT_DMABUF_FD, (DmExportDmabufFd) this::export);
        }
    }

    private DeviceMemory allocDm(AllocDmAttr attr) {
        String verb = "alloc_dm";
        Answers.refuseUnknown(verb, attr, 0);
        long most = base.maxDmSize();
        if (most == 0) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP, verb, "the device has no memory to allocate; maxDmSize of query_device_ex is 0");
        }
        if (Long.compareUnsigned(attr.length(), most) > 0) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    "length is " + attr.length() + ", but the device has " + Long.toUnsignedString(most) + " bytes");
        }
        try (Scratch c = new Scratch(AllocDmAttrLayout.SIZEOF)) {
            NativeMemory.putLong(c.address() + AllocDmAttrLayout.LENGTH, attr.length());
            NativeMemory.putInt(c.address() + AllocDmAttrLayout.LOG_ALIGN_REQ, attr.logAlignReq());
            long dm = Answers.checkPointer(verb, allocDm.call(base.address(), c.address()));
            return new NativeDeviceMemory(base.context(), attr.length(), new IbvDm(dm, attr.length()));
        }
    }

    private void freeDm(DeviceMemory dm) {
        IbvObject memory = ((NativeDeviceMemory) dm).ibv;
        memory.pin().closeFor(() -> Answers.check("free_dm", freeDm.call(memory.address())));
    }

    private MemoryRegion regDmMr(ProtectionDomain pd, DeviceMemory dm, long dmOffset, long length, int access) {
        String verb = "reg_dm_mr";
        Answers.requireKnown(verb, "access", access, ACCESS, AccessFlags::toString);
        IbvDm memory = ((NativeDeviceMemory) dm).ibv;
        long mr = regDmMr.call(IbvObject.addressOf(pd), memory.address(), dmOffset, length, access);
        Answers.checkPointer(verb, mr);
        NativeMemoryRegion region = new NativeMemoryRegion(pd, 0, length, access, new IbvMr(mr));
        base.regions().placed().add(region.lkey(), pd.base(), 0, length, memory.placeAt(dmOffset), region.ibv.pin());
        return region;
    }

    private ExportedFd export(DeviceMemory dm) {
        return OwnedFd.checked("dm_export_dmabuf_fd", export.call(((NativeDeviceMemory) dm).ibv.address()));
    }
}
