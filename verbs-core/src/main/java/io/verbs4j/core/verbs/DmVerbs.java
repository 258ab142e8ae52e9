/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import io.verbs4j.AccessFlags;
import io.verbs4j.AllocDmAttr;
import io.verbs4j.ContextSlot;
import io.verbs4j.DeviceMemory;
import io.verbs4j.ExportedFd;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.core.base.Arguments;
import io.verbs4j.slot.AllocDm;
import io.verbs4j.slot.DmExportDmabufFd;
import io.verbs4j.slot.FreeDm;
import io.verbs4j.slot.RegDmMr;
import java.util.List;

/** The library's part of the verbs about memory on the device. */
final class DmVerbs implements AllocDm, FreeDm, RegDmMr, DmExportDmabufFd {
    private final ObjectState context;
    private final ProviderSide side;
    private final Handles handles;

    DmVerbs(ObjectState context, ProviderSide side, Handles handles) {
        this.context = context;
        this.side = side;
        this.handles = handles;
    }

    @Override
    public DeviceMemory allocDm(AllocDmAttr attr) {
        String verb = "alloc_dm";
        Arguments.notNull(verb, "attr", attr);
        Masks.check(verb, attr);
        long length = attr.length();
        Arguments.atLeast(verb, "length", length, 1);
        Arguments.range(verb, "logAlignReq", attr.logAlignReq(), 0, Long.SIZE - 2);
        AllocDm provider = side.slot(verb, ContextSlot.ALLOC_DM, AllocDm.class);
        ObjectState state = new ObjectState(context.owner(), Kind.DM, List.of(context));
        Creation creation = handles.begin(verb, state);
        try (creation) {
            DeviceMemory dm = creation.made(provider.allocDm(attr));
            creation.require(dm.length() >= length, "length than requested");
            return creation.done(dm);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        }
    }

    @Override
    public void freeDm(DeviceMemory dm) {
        String verb = "free_dm";
        FreeDm provider = side.slot(verb, ContextSlot.FREE_DM, FreeDm.class);
        handles.destroy(verb, "dm", dm, p -> provider.freeDm(dm));
    }

    @Override
    public MemoryRegion regDmMr(ProtectionDomain pd, DeviceMemory dm, long dmOffset, long length, int access) {
        String verb = "reg_dm_mr";
        ObjectState domain = handles.find(verb, "pd", pd);
        ObjectState memory = handles.find(verb, "dm", dm);
        Arguments.range(verb, "dmOffset", dmOffset, 0, dm.length() - 1);
        Arguments.range(verb, "length", length, 1, dm.length() - dmOffset);
        MemoryChecks.access(verb, access);
        if ((access & AccessFlags.ZERO_BASED) == 0) {
            throw Arguments.invalid(verb, "access lacks ZERO_BASED; add it, because device memory has no address");
        }
        RegDmMr provider = side.slot(verb, ContextSlot.REG_DM_MR, RegDmMr.class);
        RegionState state = new RegionState(context.owner(), List.of(domain, memory, context), null);
        Creation creation = handles.begin(verb, state);
        try (creation) {
            MemoryRegion mr = creation.made(provider.regDmMr(pd, dm, dmOffset, length, access));
            creation.require(mr.pd() == pd, "protection domain");
            return creation.done(mr);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        }
    }

    @Override
    public ExportedFd dmExportDmabufFd(DeviceMemory dm) {
        String verb = "dm_export_dmabuf_fd";
        ObjectState state = handles.find(verb, "dm", dm);
        DmExportDmabufFd provider = side.slot(verb, ContextSlot.DM_EXPORT_DMABUF_FD, DmExportDmabufFd.class);
        return side.ask(verb, state, () -> provider.dmExportDmabufFd(dm));
    }
}
