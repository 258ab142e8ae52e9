/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import io.verbs4j.ContextSlot;
import io.verbs4j.DeviceMemory;
import io.verbs4j.ExportedFd;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.VerbsObject;
import io.verbs4j.core.base.Arguments;
import io.verbs4j.slot.ExportDevice;
import io.verbs4j.slot.ExportHandle;
import io.verbs4j.slot.ImportDm;
import io.verbs4j.slot.ImportMr;
import io.verbs4j.slot.ImportPd;
import io.verbs4j.slot.UnimportDm;
import io.verbs4j.slot.UnimportMr;
import io.verbs4j.slot.UnimportPd;
import java.util.List;

/**
 * The library's part of the verbs by which contexts share objects. An imported handle is counted and closed like any
 * other of its kind; the object belongs to another context, which this library does not know.
 */
final class ImportVerbs
        implements ImportPd, UnimportPd, ImportMr, UnimportMr, ImportDm, UnimportDm, ExportDevice, ExportHandle {
    private final ObjectState context;
    private final ProviderSide side;
    private final Handles handles;

    ImportVerbs(ObjectState context, ProviderSide side, Handles handles) {
        this.context = context;
        this.side = side;
        this.handles = handles;
    }

    @Override
    public ProtectionDomain importPd(int handle) {
        String verb = "import_pd";
        ImportPd provider = side.slot(verb, ContextSlot.IMPORT_PD, ImportPd.class);
        Creation creation = handles.begin(verb, new ObjectState(context.owner(), Kind.PD, List.of(context)));
        try (creation) {
            return creation.done(creation.made(provider.importPd(handle)));
        } catch (Throwable t) {
            throw side.failed(verb, t);
        }
    }

    @Override
    public void unimportPd(ProtectionDomain pd) {
        String verb = "unimport_pd";
        UnimportPd provider = side.slot(verb, ContextSlot.UNIMPORT_PD, UnimportPd.class);
        handles.destroy(verb, "pd", pd, p -> provider.unimportPd(pd));
    }

    @Override
    public MemoryRegion importMr(ProtectionDomain pd, int handle) {
        String verb = "import_mr";
        ObjectState domain = handles.find(verb, "pd", pd);
        ImportMr provider = side.slot(verb, ContextSlot.IMPORT_MR, ImportMr.class);
        RegionState state = new RegionState(context.owner(), List.of(domain, context), null);
        Creation creation = handles.begin(verb, state);
        try (creation) {
            MemoryRegion mr = creation.made(provider.importMr(pd, handle));
            creation.require(mr.pd() == pd, "protection domain");
            return creation.done(mr);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        }
    }

    @Override
    public void unimportMr(MemoryRegion mr) {
        String verb = "unimport_mr";
        UnimportMr provider = side.slot(verb, ContextSlot.UNIMPORT_MR, UnimportMr.class);
        handles.destroy(verb, "mr", mr, p -> provider.unimportMr(mr));
    }

    @Override
    public DeviceMemory importDm(int handle, long length) {
        String verb = "import_dm";
        Arguments.atLeast(verb, "length", length, 1);
        ImportDm provider = side.slot(verb, ContextSlot.IMPORT_DM, ImportDm.class);
        Creation creation = handles.begin(verb, new ObjectState(context.owner(), Kind.DM, List.of(context)));
        try (creation) {
            DeviceMemory dm = creation.made(provider.importDm(handle, length));
            creation.require(dm.length() == length, "length");
            return creation.done(dm);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        }
    }

    @Override
    public void unimportDm(DeviceMemory dm) {
        String verb = "unimport_dm";
        UnimportDm provider = side.slot(verb, ContextSlot.UNIMPORT_DM, UnimportDm.class);
        handles.destroy(verb, "dm", dm, p -> provider.unimportDm(dm));
    }

    @Override
    public ExportedFd exportDevice() {
        String verb = "export_device";
        ExportDevice provider = side.slot(verb, ContextSlot.EXPORT_DEVICE, ExportDevice.class);
        return side.ask(verb, context, () -> provider.exportDevice());
    }

    @Override
    public int exportHandle(VerbsObject object) {
        String verb = "export_handle";
        ObjectState state = handles.find(verb, "object", object);
        ExportHandle provider = side.slot(verb, ContextSlot.EXPORT_HANDLE, ExportHandle.class);
        state.enter(verb);
        try {
            return provider.exportHandle(object);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        } finally {
            state.leave();
        }
    }
}
