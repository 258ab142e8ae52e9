/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package app;

import io.verbs4j.AllocDmAttr;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ContextSlot;
import io.verbs4j.DeviceMemory;
import io.verbs4j.ExportedFd;
import io.verbs4j.MemoryRegion;
import io.verbs4j.OpenAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Verbs;
import java.nio.ByteBuffer;

/**
 * The verbs by which contexts share objects: exported from the program's context, imported into another one of the same
 * program. Each is called whatever became of those before it, on the program's context where there is no other.
 */
final class SharedVerbs {
    private static final int DM_SIZE = 64;

    private final Context context;
    private final BaseVerbs base;

    SharedVerbs(Context context, BaseVerbs base) {
        this.context = context;
        this.base = base;
    }

    void run() {
        ExportedFd fd = Results.step("new", "export_device", context::exportDevice);
        Integer handle = Results.step("new", "export_handle", () -> pd().exportHandle());
        Context imported = Results.step("new", "import_device", () -> {
            OpenAttr attr = new OpenAttr().importFd(Results.need(fd, "export_device").fd());
            return Verbs.open(context.device(), VerbsLevel.CURRENT, attr);
        });
        close(fd);
        Context target = imported == null ? context : imported;
        ProtectionDomain pd = Results.step("new", "import_pd", () -> target.importPd(handle == null ? 1 : handle));
        MemoryRegion mr = Results.step("new", "import_mr", () -> {
            int number = handle == null || base.source == null ? 1 : base.source.exportHandle();
            return (pd == null ? pd() : pd).importMr(number);
        });
        Results.step("new", "import_pd_transfer", () -> transfer(target, Results.need(pd, "import_pd"), mr));
        deviceMemory(target);
        Results.step("new", "unimport_mr", () -> closed(mr, "import_mr"));
        Results.step("new", "unimport_pd", () -> closed(pd, "import_pd"));
        close(imported);
    }

    private ProtectionDomain pd() {
        return Results.need(base.pd, "alloc_pd");
    }

    private static String closed(AutoCloseable handle, String maker) {
        Results.close(Results.need(handle, maker));
        return "";
    }

    private static void close(AutoCloseable handle) {
        if (handle != null) {
            Results.step("old", "close_shared", () -> closed(handle, "it"));
        }
    }

    /**
     * Memory of the program's context is written by a queue pair of the other one, to memory of the program's context.
     */
    private String transfer(Context target, ProtectionDomain pd, MemoryRegion mr) {
        MemoryVerbs.same(Results.need(base.source, "reg_mr").lkey(), Results.need(mr, "import_mr").lkey());
        try (CompletionQueue cq = target.createCq(16);
                QueuePair left = base.pair(pd, cq);
                QueuePair right = base.pair(pd, cq)) {
            base.join(left, right);
            base.write(left, cq, base.target.addr(), base.target.rkey(), 41);
            return base.verify(41);
        }
    }

    private void deviceMemory(Context target) {
        DeviceMemory dm = has(ContextSlot.ALLOC_DM) && has(ContextSlot.EXPORT_HANDLE)
                ? Results.step("shared", "alloc_dm", () -> context.allocDm(new AllocDmAttr().length(DM_SIZE)))
                : null;
        DeviceMemory same = Results.step("new", "import_dm", () -> target.importDm(
                dm == null ? 1 : dm.exportHandle(), DM_SIZE));
        Results.step("new", "import_dm_copy", () -> {
            Results.need(same, "import_dm");
            ByteBuffer some = ByteBuffer.allocateDirect(8).putLong(0, 4711);
            ByteBuffer found = ByteBuffer.allocateDirect(8);
            BaseVerbs.post(same.copyTo(8, some), "memcpy_to_dm");
            BaseVerbs.post(dm.copyFrom(found, 8), "memcpy_from_dm");
            MemoryVerbs.same(4711L, found.getLong(0));
            return "";
        });
        Results.step("new", "unimport_dm", () -> closed(same, "import_dm"));
        close(dm);
    }

    private boolean has(int slot) {
        return context.queryContext().hasVerb(slot);
    }
}
