/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package app;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ContextSlot;
import io.verbs4j.CounterAttachAttr;
import io.verbs4j.CounterDescription;
import io.verbs4j.Counters;
import io.verbs4j.CountersInitAttr;
import io.verbs4j.DeviceMemory;
import io.verbs4j.Ece;
import io.verbs4j.EventType;
import io.verbs4j.Flow;
import io.verbs4j.FlowAttr;
import io.verbs4j.FlowFilter;
import io.verbs4j.FlowFlags;
import io.verbs4j.FlowSpec;
import io.verbs4j.FlowSpecActionCount;
import io.verbs4j.FlowSpecActionDrop;
import io.verbs4j.FlowSpecActionTag;
import io.verbs4j.FlowSpecEsp;
import io.verbs4j.FlowSpecEth;
import io.verbs4j.FlowSpecGre;
import io.verbs4j.FlowSpecIpv4;
import io.verbs4j.FlowSpecIpv4Ext;
import io.verbs4j.FlowSpecIpv6;
import io.verbs4j.FlowSpecMpls;
import io.verbs4j.FlowSpecTcpUdp;
import io.verbs4j.FlowSpecTunnel;
import io.verbs4j.FlowSpecType;
import io.verbs4j.FlowType;
import io.verbs4j.MemoryRegion;
import io.verbs4j.OpenAttr;
import io.verbs4j.OpenAttrMask;
import io.verbs4j.OpsFlags;
import io.verbs4j.OpsWorkRequest;
import io.verbs4j.OpsWrOpcode;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCreateFlags;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpInitAttrMask;
import io.verbs4j.QueuePair;
import io.verbs4j.ReadCountersFlags;
import io.verbs4j.RwqIndTable;
import io.verbs4j.RwqIndTableInitAttr;
import io.verbs4j.RxHashConf;
import io.verbs4j.RxHashFields;
import io.verbs4j.RxHashFunction;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
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
import io.verbs4j.WorkQueue;
import io.verbs4j.WqAttr;
import io.verbs4j.WqAttrMask;
import io.verbs4j.WqFlags;
import io.verbs4j.WqInitAttr;
import io.verbs4j.WqInitAttrMask;
import io.verbs4j.WqState;
import io.verbs4j.WqType;
import io.verbs4j.WrOpcode;

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
        name(CounterAttachAttr.class);
        name(CounterDescription.class);
        name(Counters.class);
        name(CountersInitAttr.class);
        name(Ece.class);
        name(Flow.class);
        name(FlowAttr.class);
        name(FlowFilter.class);
        name(FlowFlags.class);
        name(FlowSpec.class);
        name(FlowSpecActionCount.class);
        name(FlowSpecActionDrop.class);
        name(FlowSpecActionTag.class);
        name(FlowSpecEsp.class);
        name(FlowSpecEth.class);
        name(FlowSpecGre.class);
        name(FlowSpecIpv4.class);
        name(FlowSpecIpv4Ext.class);
        name(FlowSpecIpv6.class);
        name(FlowSpecMpls.class);
        name(FlowSpecTcpUdp.class);
        name(FlowSpecTunnel.class);
        name(FlowSpecType.class);
        name(FlowType.class);
        name(OpsFlags.class);
        name(OpsWorkRequest.class);
        name(OpsWrOpcode.class);
        name(ReadCountersFlags.class);
        name(RwqIndTable.class);
        name(RwqIndTableInitAttr.class);
        name(RxHashConf.class);
        name(RxHashFields.class);
        name(RxHashFunction.class);
        name(TmCapFlags.class);
        name(TmHeader.class);
        name(WcTmInfo.class);
        name(WorkQueue.class);
        name(WqAttr.class);
        name(WqAttrMask.class);
        name(WqFlags.class);
        name(WqInitAttr.class);
        name(WqInitAttrMask.class);
        name(WqState.class);
        name(WqType.class);
        name(io.verbs4j.CompCntrCaps.class);
        name(io.verbs4j.CompCntrInitAttr.class);
        name(io.verbs4j.CompCntrOps.class);
        name(io.verbs4j.CompCntrType.class);
        name(io.verbs4j.CompletionCounter.class);
        name(io.verbs4j.QpAttachCompCntrAttr.class);
        name(io.verbs4j.slot.AttachCountersPointFlow.class);
        name(io.verbs4j.slot.CreateCompCntr.class);
        name(io.verbs4j.slot.CreateCounters.class);
        name(io.verbs4j.slot.CreateFlow.class);
        name(io.verbs4j.slot.CreateRwqIndTable.class);
        name(io.verbs4j.slot.CreateWq.class);
        name(io.verbs4j.slot.DestroyCompCntr.class);
        name(io.verbs4j.slot.DestroyCounters.class);
        name(io.verbs4j.slot.DestroyFlow.class);
        name(io.verbs4j.slot.DestroyRwqIndTable.class);
        name(io.verbs4j.slot.DestroyWq.class);
        name(io.verbs4j.slot.ExportDevice.class);
        name(io.verbs4j.slot.ExportHandle.class);
        name(io.verbs4j.slot.ImportDm.class);
        name(io.verbs4j.slot.ImportMr.class);
        name(io.verbs4j.slot.ImportPd.class);
        name(io.verbs4j.slot.ModifyWq.class);
        name(io.verbs4j.slot.QpAttachCompCntr.class);
        name(io.verbs4j.slot.QueryCompCntrCaps.class);
        name(io.verbs4j.slot.QueryEce.class);
        name(io.verbs4j.slot.ReadCounters.class);
        name(io.verbs4j.slot.SetEce.class);
        name(io.verbs4j.slot.UnimportDm.class);
        name(io.verbs4j.slot.UnimportMr.class);
        name(io.verbs4j.slot.UnimportPd.class);
    }

    static void constants() {
        value(ContextSlot.ATTACH_COUNTERS_POINT_FLOW);
        value(ContextSlot.CREATE_COMP_CNTR);
        value(ContextSlot.CREATE_COUNTERS);
        value(ContextSlot.CREATE_FLOW);
        value(ContextSlot.CREATE_RWQ_IND_TABLE);
        value(ContextSlot.CREATE_WQ);
        value(ContextSlot.DESTROY_COMP_CNTR);
        value(ContextSlot.DESTROY_COUNTERS);
        value(ContextSlot.DESTROY_FLOW);
        value(ContextSlot.DESTROY_RWQ_IND_TABLE);
        value(ContextSlot.DESTROY_WQ);
        value(ContextSlot.EXPORT_DEVICE);
        value(ContextSlot.EXPORT_HANDLE);
        value(ContextSlot.IMPORT_DM);
        value(ContextSlot.IMPORT_MR);
        value(ContextSlot.IMPORT_PD);
        value(ContextSlot.LEVEL_4_COUNT);
        value(ContextSlot.MODIFY_WQ);
        value(ContextSlot.QP_ATTACH_COMP_CNTR);
        value(ContextSlot.QUERY_COMP_CNTR_CAPS);
        value(ContextSlot.QUERY_ECE);
        value(ContextSlot.READ_COUNTERS);
        value(ContextSlot.SET_ECE);
        value(ContextSlot.UNIMPORT_DM);
        value(ContextSlot.UNIMPORT_MR);
        value(ContextSlot.UNIMPORT_PD);
        value(EventType.WQ_FATAL);
        value(OpenAttrMask.IMPORT_FD);
        value(QpCreateFlags.CVLAN_STRIPPING);
        value(QpCreateFlags.PCI_WRITE_END_PADDING);
        value(QpCreateFlags.SCATTER_FCS);
        value(QpCreateSendOps.TSO);
        value(QpInitAttrMask.IND_TABLE);
        value(QpInitAttrMask.MAX_TSO_HEADER);
        value(QpInitAttrMask.RX_HASH);
        value(SendFlags.IP_CSUM);
        value(VerbsLevel.SHARING);
        value(WcOpcode.TSO);
        value(WorkCompletion.CVLAN);
        value(WorkCompletion.FLOW_TAG);
        value(WrOpcode.TSO);
    }

    static void methods() {
        of(CompletionQueue.class).readCvlan();
        of(CompletionQueue.class).readFlowTag();
        of(Context.class).createCompCntr(null);
        of(Context.class).createCounters(null);
        of(Context.class).createRwqIndTable(null);
        of(Context.class).createWq(null);
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
        of(Context.class).queryCompCntrCaps();
        of(DeviceMemory.class).exportHandle();
        of(DeviceMemory.class).isImported();
        of(MemoryRegion.class).exportHandle();
        of(MemoryRegion.class).isImported();
        of(OpenAttr.class).importFd();
        of(OpenAttr.class).importFd(0);
        of(ProtectionDomain.class).exportHandle();
        of(ProtectionDomain.class).importMr(0);
        of(ProtectionDomain.class).isImported();
        of(QpInitAttrEx.class).maxTsoHeader();
        of(QpInitAttrEx.class).maxTsoHeader(0);
        of(QpInitAttrEx.class).rwqIndTbl();
        of(QpInitAttrEx.class).rwqIndTbl(null);
        of(QpInitAttrEx.class).rxHashConf();
        of(QpInitAttrEx.class).rxHashConf(null);
        of(QueuePair.class).attachCompCntr(null, 0);
        of(QueuePair.class).createFlow(null);
        of(QueuePair.class).queryEce();
        of(QueuePair.class).rwqIndTbl();
        of(QueuePair.class).setEce(null);
        of(SendWorkRequest.class).mss();
        of(SendWorkRequest.class).mss(0);
        of(SendWorkRequest.class).tsoHeader();
        of(SendWorkRequest.class).tsoHeader(null);
        of(SharedReceiveQueue.class).postSrqOps(null);
        of(SharedReceiveQueue.class).postSrqOps(null, null);
        of(SrqInitAttrEx.class).tmCap(0, 0);
        of(SrqInitAttrEx.class).tmMaxNumTags();
        of(SrqInitAttrEx.class).tmMaxOps();
        of(WorkCompletion.class).cvlan();
        of(WorkCompletion.class).cvlan(0);
        of(WorkCompletion.class).flowTag();
        of(WorkCompletion.class).flowTag(0);
        of(WorkCompletion.class).tmPriv();
        of(WorkCompletion.class).tmPriv(0);
        of(WorkCompletion.class).tmTag();
        of(WorkCompletion.class).tmTag(0L);
    }
}
