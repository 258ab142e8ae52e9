/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * The slots of a {@link ContextTable}: one for each verb added after level 1.
 *
 * <p>An index never changes and is never reused; a new verb gets the next one. The size of a table therefore says which
 * verbs its creator knew: those below it. Since level 2. Source: the members of {@code struct verbs_context}.
 */
public final class ContextSlot {
    /** {@link Context#openXrcd(XrcdInitAttr)}, an {@link io.verbs4j.slot.OpenXrcd}. Level 2. */
    public static final int OPEN_XRCD = 0;

    /** {@link XrcDomain#close()}, a {@link io.verbs4j.slot.CloseXrcd}. Level 2. */
    public static final int CLOSE_XRCD = 1;

    /** {@link Context#createSrqEx(SrqInitAttrEx)}, a {@link io.verbs4j.slot.CreateSrqEx}. Level 2. */
    public static final int CREATE_SRQ_EX = 2;

    /** {@link SharedReceiveQueue#srqNum()}, a {@link io.verbs4j.slot.GetSrqNum}. Level 2. */
    public static final int GET_SRQ_NUM = 3;

    /** {@link Context#createQpEx(QpInitAttrEx)}, a {@link io.verbs4j.slot.CreateQpEx}. Level 2. */
    public static final int CREATE_QP_EX = 4;

    /** {@link Context#openQp(QpOpenAttr)}, an {@link io.verbs4j.slot.OpenQp}. Level 2. */
    public static final int OPEN_QP = 5;

    /** Number of slots of level 2. */
    public static final int LEVEL_2_COUNT = 6;

    /** {@link Context#createCqEx(CqInitAttrEx)}, a {@link io.verbs4j.slot.CreateCqEx}. Level 3. */
    public static final int CREATE_CQ_EX = 6;

    /** {@link Context#queryValues(long)}, a {@link io.verbs4j.slot.QueryValues}. Level 3. */
    public static final int QUERY_VALUES = 7;

    /** {@link Context#queryDeviceEx()}, a {@link io.verbs4j.slot.QueryDeviceEx}. Level 3. */
    public static final int QUERY_DEVICE_EX = 8;

    /** {@link CompletionQueue#modify(ModifyCqAttr)}, a {@link io.verbs4j.slot.ModifyCq}. Level 3. */
    public static final int MODIFY_CQ = 9;

    /** {@link Context#queryGidEx(int, int)}, a {@link io.verbs4j.slot.QueryGidEx}. Level 3. */
    public static final int QUERY_GID_EX = 10;

    /** {@link Context#queryGidTable()}, a {@link io.verbs4j.slot.QueryGidTable}. Level 3. */
    public static final int QUERY_GID_TABLE = 11;

    /** {@link QueuePair#queryDataInOrder(int, int)}, a {@link io.verbs4j.slot.QueryQpDataInOrder}. Level 3. */
    public static final int QUERY_QP_DATA_IN_ORDER = 12;

    /** {@link QueuePair#modifyRateLimit(QpRateLimitAttr)}, a {@link io.verbs4j.slot.ModifyQpRateLimit}. Level 3. */
    public static final int MODIFY_QP_RATE_LIMIT = 13;

    /** {@link ProtectionDomain#regMrEx(RegMrAttrEx)}, a {@link io.verbs4j.slot.RegMrEx}. Level 3. */
    public static final int REG_MR_EX = 14;

    /**
     * {@link ProtectionDomain#adviseMr(int, int, ScatterGatherElement...)}, an {@link io.verbs4j.slot.AdviseMr}. Level
     * 3.
     */
    public static final int ADVISE_MR = 15;

    /** {@link ProtectionDomain#allocNullMr()}, an {@link io.verbs4j.slot.AllocNullMr}. Level 3. */
    public static final int ALLOC_NULL_MR = 16;

    /** {@link ProtectionDomain#allocMrKey(MrKeyInitAttr)}, an {@link io.verbs4j.slot.AllocMrKey}. Level 3. */
    public static final int ALLOC_MR_KEY = 17;

    /** {@link Context#allocTd(TdInitAttr)}, an {@link io.verbs4j.slot.AllocTd}. Level 3. */
    public static final int ALLOC_TD = 18;

    /** {@link ThreadDomain#close()}, a {@link io.verbs4j.slot.DeallocTd}. Level 3. */
    public static final int DEALLOC_TD = 19;

    /**
     * {@link Context#allocParentDomain(ParentDomainInitAttr)}, an {@link io.verbs4j.slot.AllocParentDomain}. Level 3.
     */
    public static final int ALLOC_PARENT_DOMAIN = 20;

    /** {@link Context#allocDm(AllocDmAttr)}, an {@link io.verbs4j.slot.AllocDm}. Level 3. */
    public static final int ALLOC_DM = 21;

    /** {@link DeviceMemory#close()}, a {@link io.verbs4j.slot.FreeDm}. Level 3. */
    public static final int FREE_DM = 22;

    /** {@link ProtectionDomain#regDmMr(DeviceMemory, long, long, int)}, a {@link io.verbs4j.slot.RegDmMr}. Level 3. */
    public static final int REG_DM_MR = 23;

    /** {@link DeviceMemory#exportDmabufFd()}, a {@link io.verbs4j.slot.DmExportDmabufFd}. Level 3. */
    public static final int DM_EXPORT_DMABUF_FD = 24;

    /** Number of slots of levels 1 to 3. */
    public static final int LEVEL_3_COUNT = 25;

    /** {@link Context#importPd(int)}, an {@link io.verbs4j.slot.ImportPd}. Level 4. */
    public static final int IMPORT_PD = 25;

    /** {@link ProtectionDomain#close()} of an imported domain, an {@link io.verbs4j.slot.UnimportPd}. Level 4. */
    public static final int UNIMPORT_PD = 26;

    /** {@link ProtectionDomain#importMr(int)}, an {@link io.verbs4j.slot.ImportMr}. Level 4. */
    public static final int IMPORT_MR = 27;

    /** {@link MemoryRegion#close()} of an imported region, an {@link io.verbs4j.slot.UnimportMr}. Level 4. */
    public static final int UNIMPORT_MR = 28;

    /** {@link Context#importDm(int, long)}, an {@link io.verbs4j.slot.ImportDm}. Level 4. */
    public static final int IMPORT_DM = 29;

    /** {@link DeviceMemory#close()} of imported memory, an {@link io.verbs4j.slot.UnimportDm}. Level 4. */
    public static final int UNIMPORT_DM = 30;

    /** {@link Context#exportDevice()}, an {@link io.verbs4j.slot.ExportDevice}. Level 4. */
    public static final int EXPORT_DEVICE = 31;

    /**
     * {@link ProtectionDomain#exportHandle()} and similar methods, an {@link io.verbs4j.slot.ExportHandle}. Level 4.
     */
    public static final int EXPORT_HANDLE = 32;

    /** {@link Context#createWq(WqInitAttr)}, a {@link io.verbs4j.slot.CreateWq}. Level 4. */
    public static final int CREATE_WQ = 33;

    /** {@link WorkQueue#modify(WqAttr)}, a {@link io.verbs4j.slot.ModifyWq}. Level 4. */
    public static final int MODIFY_WQ = 34;

    /** {@link WorkQueue#close()}, a {@link io.verbs4j.slot.DestroyWq}. Level 4. */
    public static final int DESTROY_WQ = 35;

    /** {@link Context#createRwqIndTable(RwqIndTableInitAttr)}, a {@link io.verbs4j.slot.CreateRwqIndTable}. Level 4. */
    public static final int CREATE_RWQ_IND_TABLE = 36;

    /** {@link RwqIndTable#close()}, a {@link io.verbs4j.slot.DestroyRwqIndTable}. Level 4. */
    public static final int DESTROY_RWQ_IND_TABLE = 37;

    /** {@link QueuePair#createFlow(FlowAttr)}, a {@link io.verbs4j.slot.CreateFlow}. Level 4. */
    public static final int CREATE_FLOW = 38;

    /** {@link Flow#close()}, a {@link io.verbs4j.slot.DestroyFlow}. Level 4. */
    public static final int DESTROY_FLOW = 39;

    /** {@link Context#createCounters(CountersInitAttr)}, a {@link io.verbs4j.slot.CreateCounters}. Level 4. */
    public static final int CREATE_COUNTERS = 40;

    /** {@link Counters#close()}, a {@link io.verbs4j.slot.DestroyCounters}. Level 4. */
    public static final int DESTROY_COUNTERS = 41;

    /** {@link Counters#attach(CounterAttachAttr)}, an {@link io.verbs4j.slot.AttachCountersPointFlow}. Level 4. */
    public static final int ATTACH_COUNTERS_POINT_FLOW = 42;

    /** {@link Counters#read(long[], int)}, a {@link io.verbs4j.slot.ReadCounters}. Level 4. */
    public static final int READ_COUNTERS = 43;

    /** {@link Context#queryCompCntrCaps()}, a {@link io.verbs4j.slot.QueryCompCntrCaps}. Level 4. */
    public static final int QUERY_COMP_CNTR_CAPS = 44;

    /** {@link Context#createCompCntr}, a {@link io.verbs4j.slot.CreateCompCntr}. Level 4. */
    public static final int CREATE_COMP_CNTR = 45;

    /** {@link CompletionCounter#close()}, a {@link io.verbs4j.slot.DestroyCompCntr}. Level 4. */
    public static final int DESTROY_COMP_CNTR = 46;

    /** {@link QueuePair#attachCompCntr}, a {@link io.verbs4j.slot.QpAttachCompCntr}. Level 4. */
    public static final int QP_ATTACH_COMP_CNTR = 47;

    /** {@link QueuePair#setEce(Ece)}, a {@link io.verbs4j.slot.SetEce}. Level 4. */
    public static final int SET_ECE = 48;

    /** {@link QueuePair#queryEce()}, a {@link io.verbs4j.slot.QueryEce}. Level 4. */
    public static final int QUERY_ECE = 49;

    /** {@link Context#allocDmah}, a {@link io.verbs4j.slot.AllocDmah}. Level 4. */
    public static final int ALLOC_DMAH = 50;

    /** {@link DmaHandle#close()}, a {@link io.verbs4j.slot.DeallocDmah}. Level 4. */
    public static final int DEALLOC_DMAH = 51;

    /** {@link Context#createFlowActionEsp}, a {@link io.verbs4j.slot.CreateFlowActionEsp}. Level 4. */
    public static final int CREATE_FLOW_ACTION_ESP = 52;

    /** {@link FlowAction#modifyEsp}, a {@link io.verbs4j.slot.ModifyFlowActionEsp}. Level 4. */
    public static final int MODIFY_FLOW_ACTION_ESP = 53;

    /** {@link FlowAction#close()}, a {@link io.verbs4j.slot.DestroyFlowAction}. Level 4. */
    public static final int DESTROY_FLOW_ACTION = 54;

    /** {@link ProtectionDomain#allocBuf}, a {@link io.verbs4j.slot.AllocBuf}. Level 4. */
    public static final int ALLOC_BUF = 55;

    /** {@link DmaBuffer#close()}, a {@link io.verbs4j.slot.FreeBuf}. Level 4. */
    public static final int FREE_BUF = 56;

    /** {@link DmaBuffer#exportDmabufFd()}, a {@link io.verbs4j.slot.ExportBufDmabufFd}. Level 4. */
    public static final int EXPORT_BUF_DMABUF_FD = 57;

    /** Number of slots of levels 1 to 4. */
    public static final int LEVEL_4_COUNT = 58;

    /** Number of slots in the header that the reader of this constant was compiled against. */
    public static final int COUNT = LEVEL_4_COUNT;

    private static final String[] NAMES = {
        "open_xrcd",
        "close_xrcd",
        "create_srq_ex",
        "get_srq_num",
        "create_qp_ex",
        "open_qp",
        "create_cq_ex",
        "query_values",
        "query_device_ex",
        "modify_cq",
        "query_gid_ex",
        "query_gid_table",
        "query_qp_data_in_order",
        "modify_qp_rate_limit",
        "reg_mr_ex",
        "advise_mr",
        "alloc_null_mr",
        "alloc_mr_key",
        "alloc_td",
        "dealloc_td",
        "alloc_parent_domain",
        "alloc_dm",
        "free_dm",
        "reg_dm_mr",
        "dm_export_dmabuf_fd",
        "import_pd",
        "unimport_pd",
        "import_mr",
        "unimport_mr",
        "import_dm",
        "unimport_dm",
        "export_device",
        "export_handle",
        "create_wq",
        "modify_wq",
        "destroy_wq",
        "create_rwq_ind_table",
        "destroy_rwq_ind_table",
        "create_flow",
        "destroy_flow",
        "create_counters",
        "destroy_counters",
        "attach_counters_point_flow",
        "read_counters",
        "query_comp_cntr_caps",
        "create_comp_cntr",
        "destroy_comp_cntr",
        "qp_attach_comp_cntr",
        "set_ece",
        "query_ece",
        "alloc_dmah",
        "dealloc_dmah",
        "create_flow_action_esp",
        "modify_flow_action_esp",
        "destroy_flow_action",
        "alloc_buf",
        "free_buf",
        "export_buf_dmabuf_fd",
    };

    private ContextSlot() {}

    /**
     * Returns the name of a slot's verb.
     *
     * @param slot index of a slot
     * @return the name, as in libibverbs without the prefix if C has the verb; {@code "slot 99"} for a slot that this
     *     header does not know
     */
    public static String verb(int slot) {
        return slot >= 0 && slot < NAMES.length ? NAMES[slot] : "slot " + slot;
    }

    /**
     * Returns whether verbs of level 1 serve as a fallback if library or provider do not have a verb.
     *
     * @param slot index of a slot
     * @return true for {@link #CREATE_SRQ_EX}, {@link #CREATE_QP_EX}, {@link #CREATE_CQ_EX}, {@link #QUERY_DEVICE_EX},
     *     {@link #QUERY_GID_EX}, {@link #QUERY_GID_TABLE}, {@link #QUERY_QP_DATA_IN_ORDER} and {@link #REG_MR_EX}
     */
    public static boolean hasFallback(int slot) {
        switch (slot) {
            case CREATE_SRQ_EX:
            case CREATE_QP_EX:
            case CREATE_CQ_EX:
            case QUERY_DEVICE_EX:
            case QUERY_GID_EX:
            case QUERY_GID_TABLE:
            case QUERY_QP_DATA_IN_ORDER:
            case REG_MR_EX:
                return true;
            default:
                return false;
        }
    }

    /**
     * Returns the level that added a slot.
     *
     * @param slot index of a slot
     * @return the level; one more than this header's for a slot that it does not know
     */
    public static int level(int slot) {
        if (slot < 0 || slot >= COUNT) {
            return VerbsLevel.CURRENT + 1;
        }
        if (slot < LEVEL_2_COUNT) {
            return VerbsLevel.EXTENDED;
        }
        return slot < LEVEL_3_COUNT ? VerbsLevel.COMPLETIONS : VerbsLevel.SHARING;
    }
}
