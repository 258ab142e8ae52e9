/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.oracle;

import static java.util.Map.entry;

import io.verbs4j.AccessFlags;
import java.util.Map;

/** What the constants of verbs-spi are in C: by a rule, the name of the class for a prefix, and a list of exceptions. */
final class ConstantClaims {
    /** Class to what its constants begin with in C. */
    private static final Map<String, String> PREFIXES = Map.ofEntries(
            entry("AccessFlags", "IBV_ACCESS_"),
            entry("AdviseMrAdvice", "IBV_ADVISE_MR_ADVICE_"),
            entry("AdviseMrFlags", "IBV_ADVISE_MR_FLAG_"),
            entry("AtomicCap", "IBV_ATOMIC_"),
            entry("CompCntrOps", "IBV_QP_ATTACH_COMP_CNTR_OP_"),
            entry("CompCntrType", "IBV_COMP_CNTR_TYPE_"),
            entry("CqCreateFlags", "IBV_CREATE_CQ_ATTR_"),
            entry("CqInitAttrMask", "IBV_CQ_INIT_ATTR_MASK_"),
            entry("DataInOrderCaps", "IBV_QUERY_QP_DATA_IN_ORDER_"),
            entry("DataInOrderFlags", "IBV_QUERY_QP_DATA_IN_ORDER_"),
            entry("DeviceCap", "IBV_DEVICE_"),
            entry("Errno", ""),
            entry("EventType", "IBV_EVENT_"),
            entry("FlushLevel", "IBV_FLUSH_"),
            entry("FlushType", "IBV_FLUSH_"),
            entry("GidType", "IBV_GID_TYPE_"),
            entry("LinkLayer", "IBV_LINK_LAYER_"),
            entry("MigState", "IBV_MIG_"),
            entry("ModifyCqMask", "IBV_CQ_ATTR_"),
            entry("Mtu", "IBV_"),
            entry("MwType", "IBV_MW_"),
            entry("NodeType", "IBV_NODE_"),
            entry("OdpGeneralCaps", "IBV_ODP_"),
            entry("OdpTransportCaps", "IBV_ODP_SUPPORT_"),
            entry("ParentDomainMask", "IBV_PARENT_DOMAIN_INIT_ATTR_"),
            entry("PortCap", "IBV_PORT_"),
            entry("PortState", "IBV_PORT_"),
            entry("QpAttrMask", "IBV_QP_"),
            entry("QpCreateFlags", "IBV_QP_CREATE_"),
            entry("QpInitAttrMask", "IBV_QP_INIT_ATTR_"),
            entry("QpOpenAttrMask", "IBV_QP_OPEN_ATTR_"),
            entry("QpState", "IBV_QPS_"),
            entry("QpType", "IBV_QPT_"),
            entry("QpCreateSendOps", "IBV_QP_EX_WITH_"),
            entry("Rate", "IBV_"),
            entry("OpsFlags", "IBV_OPS_"),
            entry("OpsWrOpcode", "IBV_WR_"),
            entry("RawPacketCaps", "IBV_RAW_PACKET_CAP_"),
            entry("RegMrMask", "IBV_REG_MR_MASK_"),
            entry("ReregFlags", "IBV_REREG_MR_"),
            entry("SendFlags", "IBV_SEND_"),
            entry("SrqAttrMask", "IBV_SRQ_"),
            entry("SrqInitAttrMask", "IBV_SRQ_INIT_ATTR_"),
            entry("SrqType", "IBV_SRQT_"),
            entry("TmCapFlags", "IBV_TM_CAP_"),
            entry("TmHeader", "IBV_TMH_"),
            entry("TransportType", "IBV_TRANSPORT_"),
            entry("ValuesMask", "IBV_VALUES_MASK_"),
            entry("WcExFlags", "IBV_WC_EX_WITH_"),
            entry("WcFlags", "IBV_WC_"),
            entry("WcOpcode", "IBV_WC_"),
            entry("WcStatus", "IBV_WC_"),
            entry("WrOpcode", "IBV_WR_"),
            entry("RxHashFields", "IBV_RX_HASH_"),
            entry("RxHashFunction", "IBV_RX_HASH_FUNC_"),
            entry("CounterDescription", "IBV_COUNTER_"),
            entry("FlowFlags", "IBV_FLOW_ATTR_FLAGS_"),
            entry("FlowSpecType", "IBV_FLOW_SPEC_"),
            entry("FlowType", "IBV_FLOW_ATTR_"),
            entry("ReadCountersFlags", "IBV_READ_COUNTERS_ATTR_"),
            entry("WqAttrMask", "IBV_WQ_ATTR_"),
            entry("WqFlags", "IBV_WQ_FLAGS_"),
            entry("WqInitAttrMask", "IBV_WQ_INIT_ATTR_"),
            entry("WqState", "IBV_WQS_"),
            entry("WqType", "IBV_WQT_"),
            entry("XrcdInitAttrMask", "IBV_XRCD_INIT_ATTR_"),
            entry("XrcdOpenFlags", "O_"));

    /** Classes whose constants another header has. */
    private static final Map<String, String> HEADERS =
            Map.of("Errno", "errno.h", "TmHeader", "infiniband/tm_types.h", "XrcdOpenFlags", "fcntl.h");

    /** Constants that are something else in C than the rule says. */
    private static final Map<String, String> OTHERWISE = Map.ofEntries(
            entry("Gid.LENGTH", "sizeof(union ibv_gid)"),
            entry("PciAtomicSizes.SIZE_4_BYTE", "IBV_PCI_ATOMIC_OPERATION_4_BYTE_SIZE_SUP"),
            entry("PciAtomicSizes.SIZE_8_BYTE", "IBV_PCI_ATOMIC_OPERATION_8_BYTE_SIZE_SUP"),
            entry("PciAtomicSizes.SIZE_16_BYTE", "IBV_PCI_ATOMIC_OPERATION_16_BYTE_SIZE_SUP"),
            entry("TmHeader.LENGTH", "sizeof(struct ibv_tmh)"),
            entry("TmHeader.RNDV_LENGTH", "(sizeof(struct ibv_tmh) + sizeof(struct ibv_rvh))"),
            entry("WcExFlags.STANDARD", "IBV_WC_STANDARD_FLAGS"),
            entry("XrcdInitAttrMask.FILE", "IBV_XRCD_INIT_ATTR_FD"));

    private static final String RANGE = "who must know a bit is a rule of verbs4j's own";
    private static final String INDEX = "indices of fields; C's are in the layouts";
    private static final String KERNEL = "numbers of the kernel's; verbs.h has no names for them";
    private static final String OWN = "verbs4j's own; libibverbs has none";
    private static final String VENDOR = "C has functions of the vendor's for it";

    /** Classes and constants without anything in C, and why. */
    private static final Map<String, String> NOT_IN_C = Map.ofEntries(
            entry("AccessFlags.LIBRARY_RANGE", RANGE),
            entry(
                    "BuiltRequests.SIMPLE",
                    "the shape of a request that a builder has gathered, which C's does not keep"),
            entry("CompCntrCaps", INDEX),
            entry("ContextAttr", "what queryContext() tells, which C has not"),
            entry("ContextSlot", "indices of a table; C's has offsets, which the layouts are about"),
            entry("CqCreateFlags.OPTIONAL_RANGE", RANGE),
            entry("CqInitAttrMask.HINTS", OWN),
            entry("CqInitAttrMask.LIBRARY_BITS", RANGE),
            entry("CqInitAttrMask.VENDOR", VENDOR),
            entry("DeviceAttrEx", INDEX),
            entry("DeviceCap.ATOMIC_WRITE", KERNEL),
            entry("DeviceCap.BLOCK_LIST", OWN),
            entry("DeviceCap.FLUSH_GLOBAL", KERNEL),
            entry("DeviceCap.FLUSH_PERSISTENT", KERNEL),
            entry("DeviceTraits", OWN),
            entry("DeviceKind", "what C does not tell"),
            entry("GidEntry", INDEX),
            entry("InputAttr", RANGE),
            entry("OpenAttrMask", "C has a function of the vendor's for each way to open a device"),
            entry("ParentDomainMask.LIBRARY_BITS", RANGE),
            entry("PortPhysState", "numbers of the InfiniBand specification; verbs.h has no names for them"),
            entry("QpAttrMask.LIBRARY_RANGE", RANGE),
            entry("QpAttrMask.VENDOR", VENDOR),
            entry("QpCreateFlags.CROSS_CHANNEL", KERNEL),
            entry("QpCreateFlags.LOW_LATENCY", OWN),
            entry("QpCreateFlags.MANAGED_RECV", KERNEL),
            entry("QpCreateFlags.MANAGED_SEND", KERNEL),
            entry("QpCreateFlags.OPTIONAL_RANGE", RANGE),
            entry("QpCreateSendOps.CQE_WAIT", OWN),
            entry("QpCreateSendOps.MASKED_ATOMIC_CMP_AND_SWP", OWN),
            entry("QpCreateSendOps.MASKED_ATOMIC_FETCH_AND_ADD", OWN),
            entry("QpCreateSendOps.NOP", OWN),
            entry("QpCreateSendOps.RDMA_READ_WITH_INV", OWN),
            entry("QpCreateSendOps.RECV_ENABLE", OWN),
            entry("QpCreateSendOps.REG_MR", OWN),
            entry("QpCreateSendOps.SEND_ENABLE", OWN),
            entry("QpInitAttrMask.CREATE_HINTS", OWN),
            entry("QpInitAttrMask.LIBRARY_BITS", RANGE),
            entry("QpInitAttrMask.VENDOR", VENDOR),
            entry("QpOpenAttrMask.LIBRARY_BITS", RANGE),
            entry("RegMrMask.BUFFER", "C has addresses"),
            entry("RegMrMask.LIBRARY_BITS", RANGE),
            entry("RingAllocator", "the answer of a call-back, a pointer in C"),
            entry("SrqInitAttrMask.LIBRARY_BITS", RANGE),
            entry("ValuesEx", INDEX),
            entry("ValuesMask.HWCLOCK_NS", "C's programs work it out"),
            entry("VerbsLevel", "verbs4j's own releases"),
            entry("WcOpcode.CQE_WAIT", OWN),
            entry("WcOpcode.MASKED_COMP_SWAP", OWN),
            entry("WcOpcode.MASKED_FETCH_ADD", OWN),
            entry("WcOpcode.NOP", OWN),
            entry("WcOpcode.RECV_ENABLE", OWN),
            entry("WcOpcode.REG_MR", OWN),
            entry("WcOpcode.SEND_ENABLE", OWN),
            entry("WorkCompletion", INDEX),
            entry("WrOpcode.CQE_WAIT", OWN),
            entry("WrOpcode.MASKED_ATOMIC_CMP_AND_SWP", KERNEL),
            entry("WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD", KERNEL),
            entry("WrOpcode.NOP", OWN),
            entry("WrOpcode.RDMA_READ_WITH_INV", OWN),
            entry("WrOpcode.RECV_ENABLE", OWN),
            entry("WrOpcode.REG_MR", OWN),
            entry("WrOpcode.SEND_ENABLE", OWN),
            entry("XrcdInitAttrMask.LIBRARY_BITS", RANGE));

    /** Names that verbs.h has had only since a release after 33. */
    private static final Map<String, Integer> SINCE = Map.ofEntries(
            entry("IBV_ACCESS_FLUSH_GLOBAL", 45),
            entry("IBV_ACCESS_FLUSH_PERSISTENT", 45),
            entry("IBV_COMP_CNTR_TYPE_BYTES", 65),
            entry("IBV_COMP_CNTR_TYPE_WRS", 65),
            entry("IBV_FLUSH_GLOBAL", 45),
            entry("IBV_FLUSH_MR", 45),
            entry("IBV_FLUSH_PERSISTENT", 45),
            entry("IBV_FLUSH_RANGE", 45),
            entry("IBV_ODP_SUPPORT_ATOMIC_WRITE", 58),
            entry("IBV_ODP_SUPPORT_FLUSH", 58),
            entry("IBV_QP_EX_WITH_ATOMIC_WRITE", 44),
            entry("IBV_QP_EX_WITH_FLUSH", 45),
            entry("IBV_QP_ATTACH_COMP_CNTR_OP_RDMA_READ", 65),
            entry("IBV_QP_ATTACH_COMP_CNTR_OP_RDMA_WRITE", 65),
            entry("IBV_QP_ATTACH_COMP_CNTR_OP_RECV", 65),
            entry("IBV_QP_ATTACH_COMP_CNTR_OP_REMOTE_RDMA_READ", 65),
            entry("IBV_QP_ATTACH_COMP_CNTR_OP_REMOTE_RDMA_WRITE", 65),
            entry("IBV_QP_ATTACH_COMP_CNTR_OP_SEND", 65),
            entry("IBV_QUERY_QP_DATA_IN_ORDER_ALIGNED_128_BYTES", 46),
            entry("IBV_QUERY_QP_DATA_IN_ORDER_DEVICE_ONLY", 60),
            entry("IBV_QUERY_QP_DATA_IN_ORDER_RETURN_CAPS", 46),
            entry("IBV_QUERY_QP_DATA_IN_ORDER_WHOLE_MSG", 46),
            entry("IBV_RATE_1200_GBPS", 39),
            entry("IBV_RATE_800_GBPS", 39),
            entry("IBV_REG_MR_MASK_ADDR", 59),
            entry("IBV_REG_MR_MASK_FD", 59),
            entry("IBV_REG_MR_MASK_FD_OFFSET", 59),
            entry("IBV_REG_MR_MASK_IOVA", 59),
            entry("IBV_WC_ATOMIC_WRITE", 44),
            entry("IBV_WC_FLUSH", 45),
            entry("IBV_WR_ATOMIC_WRITE", 44),
            entry("IBV_WR_FLUSH", 45));

    static final ConstantRules RULES =
            new ConstantRules(AccessFlags.class, "infiniband/verbs.h", PREFIXES, HEADERS, OTHERWISE, NOT_IN_C, SINCE);

    private ConstantClaims() {}
}
