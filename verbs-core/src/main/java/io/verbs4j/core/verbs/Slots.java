/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.slot.AdviseMr;
import io.verbs4j.slot.AllocBuf;
import io.verbs4j.slot.AllocDm;
import io.verbs4j.slot.AllocDmah;
import io.verbs4j.slot.AllocMrKey;
import io.verbs4j.slot.AllocNullMr;
import io.verbs4j.slot.AllocParentDomain;
import io.verbs4j.slot.AllocTd;
import io.verbs4j.slot.AttachCountersPointFlow;
import io.verbs4j.slot.CloseXrcd;
import io.verbs4j.slot.CreateCompCntr;
import io.verbs4j.slot.CreateCounters;
import io.verbs4j.slot.CreateCqEx;
import io.verbs4j.slot.CreateFlow;
import io.verbs4j.slot.CreateFlowActionEsp;
import io.verbs4j.slot.CreateQpEx;
import io.verbs4j.slot.CreateRwqIndTable;
import io.verbs4j.slot.CreateSrqEx;
import io.verbs4j.slot.CreateWq;
import io.verbs4j.slot.DeallocDmah;
import io.verbs4j.slot.DeallocTd;
import io.verbs4j.slot.DestroyCompCntr;
import io.verbs4j.slot.DestroyCounters;
import io.verbs4j.slot.DestroyFlow;
import io.verbs4j.slot.DestroyFlowAction;
import io.verbs4j.slot.DestroyRwqIndTable;
import io.verbs4j.slot.DestroyWq;
import io.verbs4j.slot.DmExportDmabufFd;
import io.verbs4j.slot.ExportBufDmabufFd;
import io.verbs4j.slot.ExportDevice;
import io.verbs4j.slot.ExportHandle;
import io.verbs4j.slot.FreeBuf;
import io.verbs4j.slot.FreeDm;
import io.verbs4j.slot.GetSrqNum;
import io.verbs4j.slot.ImportDm;
import io.verbs4j.slot.ImportMr;
import io.verbs4j.slot.ImportPd;
import io.verbs4j.slot.ModifyCq;
import io.verbs4j.slot.ModifyFlowActionEsp;
import io.verbs4j.slot.ModifyQpRateLimit;
import io.verbs4j.slot.ModifyWq;
import io.verbs4j.slot.OpenQp;
import io.verbs4j.slot.OpenXrcd;
import io.verbs4j.slot.QpAttachCompCntr;
import io.verbs4j.slot.QueryCompCntrCaps;
import io.verbs4j.slot.QueryDeviceEx;
import io.verbs4j.slot.QueryEce;
import io.verbs4j.slot.QueryGidEx;
import io.verbs4j.slot.QueryGidTable;
import io.verbs4j.slot.QueryQpDataInOrder;
import io.verbs4j.slot.QueryValues;
import io.verbs4j.slot.ReadCounters;
import io.verbs4j.slot.RegDmMr;
import io.verbs4j.slot.RegMrEx;
import io.verbs4j.slot.SetEce;
import io.verbs4j.slot.UnimportDm;
import io.verbs4j.slot.UnimportMr;
import io.verbs4j.slot.UnimportPd;

/** The types of the slots that this library knows, in the order of {@link io.verbs4j.ContextSlot}. */
final class Slots {
    /** Pairs of slots that create and destroy objects; the verbs of level 1 destroy the others. */
    private static final int[][] PAIRS = {
        {ContextSlot.OPEN_XRCD, ContextSlot.CLOSE_XRCD},
        {ContextSlot.ALLOC_TD, ContextSlot.DEALLOC_TD},
        {ContextSlot.ALLOC_DM, ContextSlot.FREE_DM},
        {ContextSlot.IMPORT_PD, ContextSlot.UNIMPORT_PD},
        {ContextSlot.IMPORT_MR, ContextSlot.UNIMPORT_MR},
        {ContextSlot.IMPORT_DM, ContextSlot.UNIMPORT_DM},
        {ContextSlot.CREATE_WQ, ContextSlot.DESTROY_WQ},
        {ContextSlot.CREATE_RWQ_IND_TABLE, ContextSlot.DESTROY_RWQ_IND_TABLE},
        {ContextSlot.CREATE_FLOW, ContextSlot.DESTROY_FLOW},
        {ContextSlot.CREATE_COUNTERS, ContextSlot.DESTROY_COUNTERS},
        {ContextSlot.CREATE_COMP_CNTR, ContextSlot.DESTROY_COMP_CNTR},
        {ContextSlot.ALLOC_DMAH, ContextSlot.DEALLOC_DMAH},
        {ContextSlot.CREATE_FLOW_ACTION_ESP, ContextSlot.DESTROY_FLOW_ACTION},
        {ContextSlot.ALLOC_BUF, ContextSlot.FREE_BUF},
    };

    private Slots() {}

    /**
     * Describes the fault of a table that a provider has filled: a verb creates what no verb destroys. Returns "" if
     * there is none.
     */
    static String unpaired(ContextTable table) {
        for (int[] pair : PAIRS) {
            if (table.provider(pair[0]) != null && table.provider(pair[1]) == null) {
                return "has " + ContextSlot.verb(pair[0]) + " but not " + ContextSlot.verb(pair[1]);
            }
        }
        return "";
    }

    /** Not a list, which would load the types of all slots when a device is opened. */
    static Class<?> type(int slot) {
        return switch (slot) {
            case ContextSlot.OPEN_XRCD -> OpenXrcd.class;
            case ContextSlot.CLOSE_XRCD -> CloseXrcd.class;
            case ContextSlot.CREATE_SRQ_EX -> CreateSrqEx.class;
            case ContextSlot.GET_SRQ_NUM -> GetSrqNum.class;
            case ContextSlot.CREATE_QP_EX -> CreateQpEx.class;
            case ContextSlot.OPEN_QP -> OpenQp.class;
            case ContextSlot.CREATE_CQ_EX -> CreateCqEx.class;
            case ContextSlot.QUERY_VALUES -> QueryValues.class;
            case ContextSlot.QUERY_DEVICE_EX -> QueryDeviceEx.class;
            case ContextSlot.MODIFY_CQ -> ModifyCq.class;
            case ContextSlot.QUERY_GID_EX -> QueryGidEx.class;
            case ContextSlot.QUERY_GID_TABLE -> QueryGidTable.class;
            case ContextSlot.QUERY_QP_DATA_IN_ORDER -> QueryQpDataInOrder.class;
            case ContextSlot.MODIFY_QP_RATE_LIMIT -> ModifyQpRateLimit.class;
            case ContextSlot.REG_MR_EX -> RegMrEx.class;
            case ContextSlot.ADVISE_MR -> AdviseMr.class;
            case ContextSlot.ALLOC_NULL_MR -> AllocNullMr.class;
            case ContextSlot.ALLOC_MR_KEY -> AllocMrKey.class;
            case ContextSlot.ALLOC_TD -> AllocTd.class;
            case ContextSlot.DEALLOC_TD -> DeallocTd.class;
            case ContextSlot.ALLOC_PARENT_DOMAIN -> AllocParentDomain.class;
            case ContextSlot.ALLOC_DM -> AllocDm.class;
            case ContextSlot.FREE_DM -> FreeDm.class;
            case ContextSlot.REG_DM_MR -> RegDmMr.class;
            case ContextSlot.DM_EXPORT_DMABUF_FD -> DmExportDmabufFd.class;
            case ContextSlot.IMPORT_PD -> ImportPd.class;
            case ContextSlot.UNIMPORT_PD -> UnimportPd.class;
            case ContextSlot.IMPORT_MR -> ImportMr.class;
            case ContextSlot.UNIMPORT_MR -> UnimportMr.class;
            case ContextSlot.IMPORT_DM -> ImportDm.class;
            case ContextSlot.UNIMPORT_DM -> UnimportDm.class;
            case ContextSlot.EXPORT_DEVICE -> ExportDevice.class;
            case ContextSlot.EXPORT_HANDLE -> ExportHandle.class;
            case ContextSlot.CREATE_WQ -> CreateWq.class;
            case ContextSlot.MODIFY_WQ -> ModifyWq.class;
            case ContextSlot.DESTROY_WQ -> DestroyWq.class;
            case ContextSlot.CREATE_RWQ_IND_TABLE -> CreateRwqIndTable.class;
            case ContextSlot.DESTROY_RWQ_IND_TABLE -> DestroyRwqIndTable.class;
            case ContextSlot.CREATE_FLOW -> CreateFlow.class;
            case ContextSlot.DESTROY_FLOW -> DestroyFlow.class;
            case ContextSlot.CREATE_COUNTERS -> CreateCounters.class;
            case ContextSlot.DESTROY_COUNTERS -> DestroyCounters.class;
            case ContextSlot.ATTACH_COUNTERS_POINT_FLOW -> AttachCountersPointFlow.class;
            case ContextSlot.READ_COUNTERS -> ReadCounters.class;
            case ContextSlot.QUERY_COMP_CNTR_CAPS -> QueryCompCntrCaps.class;
            case ContextSlot.CREATE_COMP_CNTR -> CreateCompCntr.class;
            case ContextSlot.DESTROY_COMP_CNTR -> DestroyCompCntr.class;
            case ContextSlot.QP_ATTACH_COMP_CNTR -> QpAttachCompCntr.class;
            case ContextSlot.SET_ECE -> SetEce.class;
            case ContextSlot.QUERY_ECE -> QueryEce.class;
            case ContextSlot.ALLOC_DMAH -> AllocDmah.class;
            case ContextSlot.DEALLOC_DMAH -> DeallocDmah.class;
            case ContextSlot.CREATE_FLOW_ACTION_ESP -> CreateFlowActionEsp.class;
            case ContextSlot.MODIFY_FLOW_ACTION_ESP -> ModifyFlowActionEsp.class;
            case ContextSlot.DESTROY_FLOW_ACTION -> DestroyFlowAction.class;
            case ContextSlot.ALLOC_BUF -> AllocBuf.class;
            case ContextSlot.FREE_BUF -> FreeBuf.class;
            case ContextSlot.EXPORT_BUF_DMABUF_FD -> ExportBufDmabufFd.class;
            default -> throw new IllegalArgumentException("slot " + slot);
        };
    }
}
