/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import static io.verbs4j.compat.kit.model.DeviceOps.no;

import io.verbs4j.Context;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.DeviceMemory;
import io.verbs4j.Errno;
import io.verbs4j.ExportedFd;
import io.verbs4j.MemoryRegion;
import io.verbs4j.OpenAttrMask;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.VerbsObject;
import io.verbs4j.compat.kit.Capability;
import io.verbs4j.slot.ExportDevice;
import io.verbs4j.slot.ExportHandle;
import io.verbs4j.slot.ImportDm;
import io.verbs4j.slot.ImportMr;
import io.verbs4j.slot.ImportPd;
import io.verbs4j.slot.UnimportDm;
import io.verbs4j.slot.UnimportMr;
import io.verbs4j.slot.UnimportPd;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The model's verbs of level 4. All contexts share everything: a descriptor is a number that the model has assigned.
 */
final class SharedOps {
    private static final int FIRST_FD = 1 << 20; // not a descriptor of the process
    private static final int FIRST_HANDLE = 500;
    private static final Set<Integer> DESCRIPTORS = new HashSet<>();
    private static final Map<Integer, VerbsObject> EXPORTED = new HashMap<>();

    /** The imported keys. */
    private static final Set<Integer> KEYS = new HashSet<>();

    private final Context context;

    SharedOps(Context context) {
        this.context = context;
    }

    private static final class Domain extends ProtectionDomain {
        private final ProtectionDomain origin;

        Domain(Context context, ProtectionDomain origin) {
            super(context);
            this.origin = origin;
        }
    }

    private static final class Fd extends ExportedFd {
        Fd(int fd) {
            super(fd);
        }

        @Override
        protected void closeFd(int number) {
            // the number is only the model's
        }
    }

    /** Called when a context is opened, possibly by a descriptor. */
    static void opening(Context context) {
        boolean imports = (context.openAttr().compMask() & OpenAttrMask.IMPORT_FD) != 0;
        if (!imports || !Traits.has(Capability.IMPORTS)) {
            return;
        }
        synchronized (Fabric.LOCK) {
            if (!DESCRIPTORS.contains(context.openAttr().importFd()) && !Fault.IMPORTS_ANY_FD.on()) {
                throw no("open_device", Errno.EBADF, "that is not a descriptor");
            }
        }
        context.acceptOpenAttr(OpenAttrMask.IMPORT_FD, 0);
    }

    /** {@return the domain that decides what may be used together} */
    static ProtectionDomain root(ProtectionDomain pd) {
        return origin(pd.base());
    }

    /** {@return the same domain, except that a parent domain counts as a different one} */
    static ProtectionDomain origin(ProtectionDomain pd) {
        return pd instanceof Domain domain ? domain.origin : pd;
    }

    /** Whether a key stays valid when its region is closed. */
    static boolean keeps(int key) {
        return Fault.IMPORTS_OUTLIVE.on() && KEYS.contains(key);
    }

    /** Whether memory of any domain may be used. */
    static boolean isLax(ProtectionDomain pd) {
        return Fault.IMPORTED_PD_ANY_DOMAIN.on() && pd instanceof Domain;
    }

    boolean fill(ContextTable table) {
        boolean all = GrownOps.fill(table, Capability.IMPORTS, ContextSlot.IMPORT_PD, (ImportPd) this::importPd);
        UnimportPd unimportPd = pd -> {};
        all &= GrownOps.fill(table, Capability.IMPORTS, ContextSlot.UNIMPORT_PD, unimportPd);
        all &= GrownOps.fill(table, Capability.IMPORTS, ContextSlot.IMPORT_MR, (ImportMr) this::importMr);
        all &= GrownOps.fill(table, Capability.IMPORTS, ContextSlot.UNIMPORT_MR, (UnimportMr) this::unimportMr);
        all &= GrownOps.fill(table, Capability.IMPORTS, ContextSlot.IMPORT_DM, (ImportDm) this::importDm);
        UnimportDm unimportDm = LaterOps::closeDm;
        all &= GrownOps.fill(table, Capability.IMPORTS, ContextSlot.UNIMPORT_DM, unimportDm);
        all &= GrownOps.fill(table, Capability.IMPORTS, ContextSlot.EXPORT_DEVICE, (ExportDevice) this::exportDevice);
        all &= GrownOps.fill(table, Capability.IMPORTS, ContextSlot.EXPORT_HANDLE, (ExportHandle) this::exportHandle);
        return all;
    }

    private ExportedFd exportDevice() {
        synchronized (Fabric.LOCK) {
            int fd = FIRST_FD + DESCRIPTORS.size();
            DESCRIPTORS.add(fd);
            return new Fd(fd);
        }
    }

    private int exportHandle(VerbsObject object) {
        synchronized (Fabric.LOCK) {
            for (Map.Entry<Integer, VerbsObject> entry : EXPORTED.entrySet()) {
                if (entry.getValue() == object) {
                    return entry.getKey();
                }
            }
            int number = FIRST_HANDLE + EXPORTED.size();
            EXPORTED.put(number, object);
            return number;
        }
    }

    private static <T extends VerbsObject> T find(String verb, int handle, Class<T> type) {
        VerbsObject found = EXPORTED.get(handle);
        if (!type.isInstance(found)) {
            throw no(verb, Errno.ENOENT, "that was not exported");
        }
        return type.cast(found);
    }

    private ProtectionDomain importPd(int handle) {
        synchronized (Fabric.LOCK) {
            if (Fault.IMPORTS_ANY_PD.on() && !EXPORTED.containsKey(handle)) {
                return new Domain(context, new Domain(context, null));
            }
            return new Domain(context, root(find("import_pd", handle, ProtectionDomain.class)));
        }
    }

    private MemoryRegion importMr(ProtectionDomain pd, int handle) {
        synchronized (Fabric.LOCK) {
            MemoryRegion mr = find("import_mr", handle, MemoryRegion.class);
            KEYS.add(mr.lkey());
            int key = Fault.IMPORTS_OTHER_KEYS.on() ? mr.lkey() + 1 : mr.lkey();
            return new Fabric.Mr(pd, mr.addr(), mr.length(), mr.access(), key);
        }
    }

    private void unimportMr(MemoryRegion mr) {
        if (Fault.UNIMPORT_DEREGISTERS.on()) {
            synchronized (Fabric.LOCK) {
                Fabric.forget(mr.lkey());
            }
        }
    }

    private DeviceMemory importDm(int handle, long length) {
        synchronized (Fabric.LOCK) {
            return LaterOps.dm(context, find("import_dm", handle, DeviceMemory.class), length);
        }
    }
}
