/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe;

import io.verbs4j.Context;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.DeviceMemory;
import io.verbs4j.Errno;
import io.verbs4j.ExportedFd;
import io.verbs4j.MemoryRegion;
import io.verbs4j.OpenAttr;
import io.verbs4j.OpenAttrMask;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsObject;
import io.verbs4j.provider.rxe.link.NumberedFd;
import io.verbs4j.provider.rxe.memory.DmHandle;
import io.verbs4j.provider.rxe.memory.DomainHandle;
import io.verbs4j.provider.rxe.memory.Domains;
import io.verbs4j.provider.rxe.memory.MrHandle;
import io.verbs4j.provider.rxe.memory.RxeDeviceMemory;
import io.verbs4j.provider.rxe.memory.RxeMemoryRegion;
import io.verbs4j.provider.rxe.memory.SharedObjects;
import io.verbs4j.provider.rxe.port.Port;
import io.verbs4j.slot.ExportDevice;
import io.verbs4j.slot.ExportHandle;
import io.verbs4j.slot.ImportDm;
import io.verbs4j.slot.ImportMr;
import io.verbs4j.slot.ImportPd;
import io.verbs4j.slot.UnimportDm;
import io.verbs4j.slot.UnimportMr;
import io.verbs4j.slot.UnimportPd;

/**
 * The verbs by which contexts of the embedded device share objects, within one process: the memory behind the keys of another
 * process can't be reached from this one. The library has seen to it that handles are open.
 */
final class RxeImportVerbs
        implements ImportPd, UnimportPd, ImportMr, UnimportMr, ImportDm, UnimportDm, ExportDevice, ExportHandle {
    private final Context context;
    private final Port port;
    private final SharedObjects objects;

    RxeImportVerbs(Context context, Port port, SharedObjects objects) {
        this.context = context;
        this.port = port;
        this.objects = objects;
    }

    void fill(ContextTable table) {
        table.fillProvider(ContextSlot.IMPORT_PD, this);
        table.fillProvider(ContextSlot.UNIMPORT_PD, this);
        table.fillProvider(ContextSlot.IMPORT_MR, this);
        table.fillProvider(ContextSlot.UNIMPORT_MR, this);
        table.fillProvider(ContextSlot.IMPORT_DM, this);
        table.fillProvider(ContextSlot.UNIMPORT_DM, this);
        table.fillProvider(ContextSlot.EXPORT_DEVICE, this);
        table.fillProvider(ContextSlot.EXPORT_HANDLE, this);
    }

    /** The objects that a context is to share: those of the context whose descriptor it is opened with, or new ones. */
    static SharedObjects of(Context context, Port port) {
        OpenAttr attr = context.openAttr();
        if ((attr.compMask() & OpenAttrMask.IMPORT_FD) == 0) {
            return new SharedObjects(port);
        }
        String verb = "open_device";
        long token = NumberedFd.number(verb, attr.importFd());
        if (token == 0) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    "importFd " + attr.importFd()
                            + " is not the descriptor of a context of an embedded device; pass one of"
                            + " Context.exportDevice()");
        }
        SharedObjects found = SharedObjects.join(token, port);
        if (found == null) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "importFd " + attr.importFd()
                            + " is of no open context of this device in this process; the embedded"
                            + " device imports contexts of the same process alone");
        }
        context.acceptOpenAttr(OpenAttrMask.IMPORT_FD, 0);
        return found;
    }

    @Override
    public ExportedFd exportDevice() {
        return port.newNumberedFd("export_device", objects.token());
    }

    @Override
    public int exportHandle(VerbsObject object) {
        if (object instanceof ProtectionDomain pd) {
            return objects.number(Domains.root(pd));
        }
        if (object instanceof MrHandle mr) {
            return objects.number(mr.mr);
        }
        if (object instanceof DmHandle dm) {
            return objects.number(dm.dm);
        }
        throw new VerbsException(
                Errno.EOPNOTSUPP,
                "export_handle",
                "the device shares domains, regions and memory of its own; neither keys of alloc_mr_key nor other objects");
    }

    @Override
    public ProtectionDomain importPd(int handle) {
        return new DomainHandle(context, objects.importDomain("import_pd", handle));
    }

    @Override
    public void unimportPd(ProtectionDomain pd) {
        objects.release(pd);
    }

    @Override
    public MemoryRegion importMr(ProtectionDomain pd, int handle) {
        String verb = "import_mr";
        RxeMemoryRegion mr = objects.find(verb, handle, RxeMemoryRegion.class, "memory region");
        if (Domains.root(mr.pd()) != Domains.root(pd)) {
            throw new VerbsException(
                    Errno.EINVAL, verb, "the region of handle " + handle + " is of another domain; import that one");
        }
        return new MrHandle(pd, mr);
    }

    @Override
    public void unimportMr(MemoryRegion mr) {
        // the handle is all there is
    }

    @Override
    public DeviceMemory importDm(int handle, long length) {
        String verb = "import_dm";
        RxeDeviceMemory dm = objects.find(verb, handle, RxeDeviceMemory.class, "memory of the device");
        if (length > dm.length()) {
            throw new VerbsException(
                    Errno.EINVAL, verb, "length is " + length + ", but the memory has " + dm.length() + " bytes");
        }
        return new DmHandle(context, dm, length);
    }

    @Override
    public void unimportDm(DeviceMemory dm) {
        // the handle is all there is
    }
}
