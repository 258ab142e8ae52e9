/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core;

import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.slot.AdviseMr;
import io.verbs4j.slot.AllocDm;
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
import io.verbs4j.slot.CreateQpEx;
import io.verbs4j.slot.CreateRwqIndTable;
import io.verbs4j.slot.CreateSrqEx;
import io.verbs4j.slot.CreateWq;
import io.verbs4j.slot.DeallocTd;
import io.verbs4j.slot.DestroyCompCntr;
import io.verbs4j.slot.DestroyCounters;
import io.verbs4j.slot.DestroyFlow;
import io.verbs4j.slot.DestroyRwqIndTable;
import io.verbs4j.slot.DestroyWq;
import io.verbs4j.slot.DmExportDmabufFd;
import io.verbs4j.slot.ExportDevice;
import io.verbs4j.slot.ExportHandle;
import io.verbs4j.slot.FreeDm;
import io.verbs4j.slot.GetSrqNum;
import io.verbs4j.slot.ImportDm;
import io.verbs4j.slot.ImportMr;
import io.verbs4j.slot.ImportPd;
import io.verbs4j.slot.ModifyCq;
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
import java.util.List;

/** The types of the slots that this library knows, in the order of {@link io.verbs4j.ContextSlot}. */
final class Slots {
    private static final List<Class<?>> TYPES = List.of(
            OpenXrcd.class,
            CloseXrcd.class,
            CreateSrqEx.class,
            GetSrqNum.class,
            CreateQpEx.class,
            OpenQp.class,
            CreateCqEx.class,
            QueryValues.class,
            QueryDeviceEx.class,
            ModifyCq.class,
            QueryGidEx.class,
            QueryGidTable.class,
            QueryQpDataInOrder.class,
            ModifyQpRateLimit.class,
            RegMrEx.class,
            AdviseMr.class,
            AllocNullMr.class,
            AllocMrKey.class,
            AllocTd.class,
            DeallocTd.class,
            AllocParentDomain.class,
            AllocDm.class,
            FreeDm.class,
            RegDmMr.class,
            DmExportDmabufFd.class,
            ImportPd.class,
            UnimportPd.class,
            ImportMr.class,
            UnimportMr.class,
            ImportDm.class,
            UnimportDm.class,
            ExportDevice.class,
            ExportHandle.class,
            CreateWq.class,
            ModifyWq.class,
            DestroyWq.class,
            CreateRwqIndTable.class,
            DestroyRwqIndTable.class,
            CreateFlow.class,
            DestroyFlow.class,
            CreateCounters.class,
            DestroyCounters.class,
            AttachCountersPointFlow.class,
            ReadCounters.class,
            QueryCompCntrCaps.class,
            CreateCompCntr.class,
            DestroyCompCntr.class,
            QpAttachCompCntr.class,
            SetEce.class,
            QueryEce.class);

    /** What makes objects, and what destroys them; other objects are destroyed by verbs of level 1. */
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
    };

    private Slots() {}

    /**
     * What is wrong with a table that a provider has filled: a verb that makes what no verb destroys; "" where
     * nothing is.
     */
    static String unpaired(ContextTable table) {
        for (int[] pair : PAIRS) {
            if (table.provider(pair[0]) != null && table.provider(pair[1]) == null) {
                return "has " + ContextSlot.verb(pair[0]) + " but not " + ContextSlot.verb(pair[1]);
            }
        }
        return "";
    }

    static Class<?> type(int slot) {
        return TYPES.get(slot);
    }
}
