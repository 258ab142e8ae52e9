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
import io.verbs4j.provider.rxe.memory.Domains;
import io.verbs4j.provider.rxe.memory.RxeDeviceMemory;
import io.verbs4j.provider.rxe.memory.RxeDm;
import io.verbs4j.provider.rxe.memory.RxeMemoryRegion;
import io.verbs4j.provider.rxe.memory.RxeMr;
import io.verbs4j.provider.rxe.memory.RxeProtectionDomain;
import io.verbs4j.provider.rxe.memory.SharedObjects;
import io.verbs4j.provider.rxe.port.Port;
import io.verbs4j.provider.rxe.share.DescriptorFile;
import io.verbs4j.provider.rxe.share.ExportedObjects;
import io.verbs4j.provider.rxe.share.SystemUse;
import io.verbs4j.slot.ExportDevice;
import io.verbs4j.slot.ExportHandle;
import io.verbs4j.slot.ImportDm;
import io.verbs4j.slot.ImportMr;
import io.verbs4j.slot.ImportPd;
import io.verbs4j.slot.UnimportDm;
import io.verbs4j.slot.UnimportMr;
import io.verbs4j.slot.UnimportPd;
import java.io.IOException;

/**
 * The verbs by which contexts of the embedded device share objects, within one process or between two processes of a
 * machine. The library has already checked that handles are open.
 */
final class RxeImportVerbs
        implements ImportPd, UnimportPd, ImportMr, UnimportMr, ImportDm, UnimportDm, ExportDevice, ExportHandle {
    private final Context context;
    private final Port port;
    private final Shared shared;

    /**
     * The objects that a context shares.
     *
     * @param own objects shared with contexts of this process
     * @param imported objects imported from another process, or null if the context was not imported from one
     */
    record Shared(SharedObjects own, ImportedObjects imported) {
        /** Drops the context that closes. */
        void leave() {
            own.leave();
            if (imported != null) {
                imported.leave();
            }
        }
    }

    RxeImportVerbs(Context context, Port port, Shared shared) {
        this.context = context;
        this.port = port;
        this.shared = shared;
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

    /**
     * Returns the objects that a context shares: those of the context whose descriptor it is opened with, or new ones.
     */
    static Shared of(Context context, Port port) {
        OpenAttr attr = context.openAttr();
        if ((attr.compMask() & OpenAttrMask.IMPORT_FD) == 0) {
            return new Shared(new SharedObjects(port), null);
        }
        Shared found = imported(attr.importFd(), context, port);
        context.acceptOpenAttr(OpenAttrMask.IMPORT_FD, 0);
        return found;
    }

    private static Shared imported(int fd, Context context, Port port) {
        String verb = "open_device";
        Object file;
        try {
            file = DescriptorFile.key(fd);
        } catch (IOException e) {
            throw new VerbsException(
                    Errno.EBADF, verb, "importFd " + fd + " is not an open descriptor of this process: " + e, e);
        }
        SharedObjects here = SharedObjects.join(file, port);
        if (here != null) {
            return new Shared(here, null);
        }
        return new Shared(new SharedObjects(port), ImportedObjects.join(file, fd, context, port));
    }

    @Override
    public ExportedFd exportDevice() {
        return shared.imported != null ? shared.imported.newDescriptor() : shared.own.newDescriptor(this::newTable);
    }

    private SharedObjects.NewTable newTable() {
        String verb = "export_device";
        SystemUse system = port.systemUse(verb);
        boolean made = false;
        try {
            ExportedObjects table = new ExportedObjects(system, context.device().name());
            Object file = table.file();
            made = true;
            return new SharedObjects.NewTable(table, file);
        } catch (IOException e) {
            throw new VerbsException(
                    Errno.ENOMEM, verb, "memory to share with other processes can't be created: " + e, e);
        } finally {
            if (!made) {
                system.close();
            }
        }
    }

    @Override
    public int exportHandle(VerbsObject object) {
        Object exported = exported(object);
        if (shared.imported == null) {
            return shared.own.number(exported);
        }
        int number = shared.imported.number(exported);
        if (number == 0) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    "export_handle",
                    "the object was created in a context that is imported from another process and can export only"
                            + " imported objects; create it in a context opened without importFd");
        }
        return number;
    }

    private static Object exported(VerbsObject object) {
        if (object instanceof ProtectionDomain pd) {
            return Domains.root(pd);
        }
        if (object instanceof RxeMemoryRegion mr) {
            return mr.mr;
        }
        if (object instanceof RxeDeviceMemory dm) {
            return dm.dm;
        }
        throw new VerbsException(
                Errno.EOPNOTSUPP,
                "export_handle",
                "only domains, regions and device memory can be exported, not keys from alloc_mr_key or other objects");
    }

    @Override
    public ProtectionDomain importPd(int handle) {
        return new RxeProtectionDomain(
                context,
                shared.imported != null
                        ? shared.imported.importDomain(context, handle)
                        : shared.own.importDomain("import_pd", handle));
    }

    @Override
    public void unimportPd(ProtectionDomain pd) {
        if (shared.imported != null) {
            shared.imported.releaseDomain(pd);
        } else {
            shared.own.release(pd);
        }
    }

    @Override
    public MemoryRegion importMr(ProtectionDomain pd, int handle) {
        if (shared.imported != null) {
            return new RxeMemoryRegion(pd, shared.imported.importRegion(pd, handle));
        }
        String verb = "import_mr";
        RxeMr mr = shared.own.find(verb, handle, RxeMr.class, "memory region");
        if (Domains.root(mr.pd()) != Domains.root(pd)) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    "the region of handle " + handle + " belongs to another domain; import that domain");
        }
        return new RxeMemoryRegion(pd, mr);
    }

    /** Ends only the handle if the region belongs to a context of this process. */
    @Override
    public void unimportMr(MemoryRegion mr) {
        ((RxeMemoryRegion) mr).unimported = true;
        if (shared.imported != null) {
            shared.imported.releaseRegion(((RxeMemoryRegion) mr).mr);
        }
    }

    @Override
    public DeviceMemory importDm(int handle, long length) {
        if (shared.imported != null) {
            return new RxeDeviceMemory(context, shared.imported.importDeviceMemory(handle, length), length);
        }
        String verb = "import_dm";
        RxeDm dm = shared.own.find(verb, handle, RxeDm.class, "device memory");
        if (length > dm.length()) {
            throw new VerbsException(
                    Errno.EINVAL, verb, "length is " + length + ", but the memory has " + dm.length() + " bytes");
        }
        return new RxeDeviceMemory(context, dm, length);
    }

    /** Ends only the handle if the memory belongs to a context of this process. */
    @Override
    public void unimportDm(DeviceMemory dm) {
        ((RxeDeviceMemory) dm).unimported = true;
        if (shared.imported != null) {
            shared.imported.releaseDeviceMemory(((RxeDeviceMemory) dm).dm);
        }
    }
}
