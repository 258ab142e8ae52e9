/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package app;

import io.verbs4j.Context;
import io.verbs4j.ContextSlot;
import io.verbs4j.DeviceMemory;
import io.verbs4j.MemoryRegion;
import io.verbs4j.OpenAttr;
import io.verbs4j.OpenAttrMask;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.VerbsLevel;

/**
 * Every name that came with level 4, once, a line each: without it this does not compile. Nobody runs it. A name that is not
 * here fails a test.
 */
final class NamesOf4 {
    private NamesOf4() {}

    private static void name(Class<?> type) {}

    private static void value(long constant) {}

    private static <T> T of(Class<T> type) {
        return null;
    }

    static void classes() {
        name(io.verbs4j.slot.ExportDevice.class);
        name(io.verbs4j.slot.ExportHandle.class);
        name(io.verbs4j.slot.ImportDm.class);
        name(io.verbs4j.slot.ImportMr.class);
        name(io.verbs4j.slot.ImportPd.class);
        name(io.verbs4j.slot.UnimportDm.class);
        name(io.verbs4j.slot.UnimportMr.class);
        name(io.verbs4j.slot.UnimportPd.class);
    }

    static void constants() {
        value(ContextSlot.EXPORT_DEVICE);
        value(ContextSlot.EXPORT_HANDLE);
        value(ContextSlot.IMPORT_DM);
        value(ContextSlot.IMPORT_MR);
        value(ContextSlot.IMPORT_PD);
        value(ContextSlot.LEVEL_4_COUNT);
        value(ContextSlot.UNIMPORT_DM);
        value(ContextSlot.UNIMPORT_MR);
        value(ContextSlot.UNIMPORT_PD);
        value(OpenAttrMask.IMPORT_FD);
        value(VerbsLevel.SHARING);
    }

    static void methods() {
        of(Context.class).exportDevice();
        of(Context.class).importDm(0, 0L);
        of(Context.class).importPd(0);
        of(DeviceMemory.class).exportHandle();
        of(DeviceMemory.class).isImported();
        of(MemoryRegion.class).exportHandle();
        of(MemoryRegion.class).isImported();
        of(OpenAttr.class).importFd();
        of(OpenAttr.class).importFd(0);
        of(ProtectionDomain.class).exportHandle();
        of(ProtectionDomain.class).importMr(0);
        of(ProtectionDomain.class).isImported();
    }
}
