/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.oracle;

import static java.util.Map.entry;

import io.verbs4j.efadv.EfaDv;
import io.verbs4j.provider.efa.layout.EfaAhAttrLayout;
import io.verbs4j.rdmacore.oracle.ConstantRules;
import io.verbs4j.rdmacore.oracle.Oracle;
import java.util.Map;

/** Maps the layouts of provider-efa and the constants of efadv to their originals in C. */
final class EfaClaims {
    /** From a class to the prefix of its constants in C. */
    private static final Map<String, String> PREFIXES = Map.ofEntries(
            entry("EfaCompCntrInitAttr", "EFADV_COMP_CNTR_INIT_WITH_"),
            entry("EfaCompCntrOps", "IBV_QP_ATTACH_COMP_CNTR_OP_"),
            entry("EfaDeviceCap", "EFADV_DEVICE_ATTR_CAPS_"),
            entry("EfaMemoryLocation", "EFADV_MEMORY_LOCATION_"),
            entry("EfaMrValidity", "EFADV_MR_ATTR_VALIDITY_"),
            entry("EfaProcessingHints", "EFADV_WR_PROCESSING_HINT_"),
            entry("EfaQpFlags", "EFADV_QP_FLAGS_"),
            entry("EfaSqDepthFlags", "EFADV_SQ_DEPTH_ATTR_"),
            entry("EfaWcFlags", "EFADV_WC_EX_WITH_"),
            entry("EfaWrFlags", "EFADV_WR_EX_WITH_"));

    /** Constants whose name in C differs from the rule. */
    private static final Map<String, String> OTHERWISE = Map.of(
            "EfaQpInitAttr.SRD", "EFADV_QP_DRIVER_TYPE_SRD", "EfaWqCaps.REQ_ID_64_BIT", "EFADV_WQ_CAPS_64_BIT_REQ_ID");

    /** Names that efadv.h has had only since a release after 33. */
    private static final Map<String, Integer> SINCE = Map.ofEntries(
            entry("EFADV_COMP_CNTR_INIT_WITH_COMP_EXTERNAL_MEM", 65),
            entry("EFADV_COMP_CNTR_INIT_WITH_ERR_EXTERNAL_MEM", 65),
            entry("EFADV_DEVICE_ATTR_CAPS_COMP_CNTR", 65),
            entry("EFADV_DEVICE_ATTR_CAPS_CQ_WITH_EXT_MEM_DMABUF", 59),
            entry("EFADV_DEVICE_ATTR_CAPS_CQ_WITH_SGID", 43),
            entry("EFADV_DEVICE_ATTR_CAPS_RDMA_WRITE", 46),
            entry("EFADV_DEVICE_ATTR_CAPS_UNSOLICITED_WRITE_RECV", 52),
            entry("EFADV_MEMORY_LOCATION_DMABUF", 65),
            entry("EFADV_MEMORY_LOCATION_VA", 65),
            entry("EFADV_MR_ATTR_VALIDITY_RDMA_READ_IC_ID", 50),
            entry("EFADV_MR_ATTR_VALIDITY_RDMA_RECV_IC_ID", 50),
            entry("EFADV_MR_ATTR_VALIDITY_RECV_IC_ID", 50),
            entry("EFADV_QP_FLAGS_INLINE_WRITE", 63),
            entry("EFADV_QP_FLAGS_UNSOLICITED_WRITE_RECV", 52),
            entry("EFADV_SQ_DEPTH_ATTR_INLINE_WRITE", 63),
            entry("EFADV_WC_EX_WITH_IS_UNSOLICITED", 52),
            entry("EFADV_WC_EX_WITH_SGID", 43),
            entry("EFADV_WQ_CAPS_64_BIT_REQ_ID", 65),
            entry("EFADV_WR_EX_WITH_PROCESSING_HINTS", 64),
            entry("EFADV_WR_PROCESSING_HINT_BURST_PPS_SENSITIVE", 64),
            entry("IBV_QP_ATTACH_COMP_CNTR_OP_RDMA_READ", 65),
            entry("IBV_QP_ATTACH_COMP_CNTR_OP_RDMA_WRITE", 65),
            entry("IBV_QP_ATTACH_COMP_CNTR_OP_RECV", 65),
            entry("IBV_QP_ATTACH_COMP_CNTR_OP_REMOTE_RDMA_READ", 65),
            entry("IBV_QP_ATTACH_COMP_CNTR_OP_REMOTE_RDMA_WRITE", 65),
            entry("IBV_QP_ATTACH_COMP_CNTR_OP_SEND", 65));

    static final ConstantRules RULES =
            new ConstantRules(EfaDv.class, "infiniband/efadv.h", PREFIXES, Map.of(), OTHERWISE, Map.of(), SINCE);

    static final Oracle ORACLE = Oracle.of(EfaAhAttrLayout.class, RULES, 20);

    private EfaClaims() {}
}
