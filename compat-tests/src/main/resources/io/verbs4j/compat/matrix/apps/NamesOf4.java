/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package app;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ContextSlot;
import io.verbs4j.DeviceMemory;
import io.verbs4j.Ece;
import io.verbs4j.MemoryRegion;
import io.verbs4j.OpenAttr;
import io.verbs4j.OpenAttrMask;
import io.verbs4j.OpsFlags;
import io.verbs4j.OpsWorkRequest;
import io.verbs4j.OpsWrOpcode;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.SrqInitAttrMask;
import io.verbs4j.SrqType;
import io.verbs4j.TmCapFlags;
import io.verbs4j.TmHeader;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WcTmInfo;
import io.verbs4j.WorkCompletion;

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
        name(Ece.class);
        name(OpsFlags.class);
        name(OpsWorkRequest.class);
        name(OpsWrOpcode.class);
        name(TmCapFlags.class);
        name(TmHeader.class);
        name(WcTmInfo.class);
        name(io.verbs4j.slot.ExportDevice.class);
        name(io.verbs4j.slot.ExportHandle.class);
        name(io.verbs4j.slot.ImportDm.class);
        name(io.verbs4j.slot.ImportMr.class);
        name(io.verbs4j.slot.ImportPd.class);
        name(io.verbs4j.slot.QueryEce.class);
        name(io.verbs4j.slot.SetEce.class);
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
        value(ContextSlot.QUERY_ECE);
        value(ContextSlot.SET_ECE);
        value(ContextSlot.UNIMPORT_DM);
        value(ContextSlot.UNIMPORT_MR);
        value(ContextSlot.UNIMPORT_PD);
        value(OpenAttrMask.IMPORT_FD);
        value(SrqInitAttrMask.TM);
        value(SrqType.TM);
        value(VerbsLevel.SHARING);
        value(WcFlags.TM_DATA_VALID);
        value(WcFlags.TM_MATCH);
        value(WcFlags.TM_SYNC_REQ);
        value(WcOpcode.TM_ADD);
        value(WcOpcode.TM_DEL);
        value(WcOpcode.TM_NO_TAG);
        value(WcOpcode.TM_RECV);
        value(WcOpcode.TM_SYNC);
        value(WcStatus.TM_ERR);
        value(WcStatus.TM_RNDV_INCOMPLETE);
        value(WorkCompletion.TM_PRIV);
        value(WorkCompletion.TM_TAG);
    }

    static void methods() {
        of(CompletionQueue.class).readTmInfo(null);
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
        of(QueuePair.class).queryEce();
        of(QueuePair.class).setEce(null);
        of(SharedReceiveQueue.class).postSrqOps(null);
        of(SharedReceiveQueue.class).postSrqOps(null, null);
        of(SrqInitAttrEx.class).tmCap(0, 0);
        of(SrqInitAttrEx.class).tmMaxNumTags();
        of(SrqInitAttrEx.class).tmMaxOps();
        of(WorkCompletion.class).tmPriv();
        of(WorkCompletion.class).tmPriv(0);
        of(WorkCompletion.class).tmTag();
        of(WorkCompletion.class).tmTag(0L);
    }
}
