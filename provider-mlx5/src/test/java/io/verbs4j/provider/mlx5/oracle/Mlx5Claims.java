/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.oracle;

import static java.util.Map.entry;

import io.verbs4j.mlx5dv.Mlx5Dv;
import io.verbs4j.provider.mlx5.layout.DvObjLayout;
import io.verbs4j.rdmacore.oracle.ConstantRules;
import io.verbs4j.rdmacore.oracle.Oracle;
import java.util.Map;

/** Maps the layouts of provider-mlx5 and the constants of mlx5dv to their originals in C. */
final class Mlx5Claims {
    /** From a class to the prefix of its constants in C. */
    private static final Map<String, String> PREFIXES = Map.ofEntries(
            entry("Mlx5BlockSize", "MLX5DV_BLOCK_"),
            entry("AsoFlags", "MLX5DV_DR_ACTION_FLAGS_ASO_"),
            entry("FlowTableType", "MLX5DV_FLOW_TABLE_TYPE_"),
            entry("MatcherLayoutFlags", "MLX5DV_DR_MATCHER_LAYOUT_"),
            entry("Mlx5ContextFlags", "MLX5DV_CONTEXT_FLAGS_"),
            entry("Mlx5ContextMask", "MLX5DV_CONTEXT_MASK_"),
            entry("Mlx5CqFlags", "MLX5DV_CQ_INIT_ATTR_FLAGS_"),
            entry("Mlx5CqInitAttrMask", "MLX5DV_CQ_INIT_ATTR_MASK_"),
            entry("Mlx5CqeFormat", "MLX5DV_CQE_RES_FORMAT_"),
            entry("Mlx5CrcType", "MLX5DV_SIG_CRC_TYPE_"),
            entry("Mlx5DcType", "MLX5DV_DCTYPE_"),
            entry("Mlx5MkeyConfFlags", "MLX5DV_MKEY_CONF_FLAG_"),
            entry("Mlx5MkeyErrorType", "MLX5DV_MKEY_"),
            entry("Mlx5MkeyFlags", "MLX5DV_MKEY_INIT_ATTR_FLAGS_"),
            entry("Mlx5QpCreateFlags", "MLX5DV_QP_CREATE_"),
            entry("Mlx5QpInitAttrMask", "MLX5DV_QP_INIT_ATTR_MASK_"),
            entry("Mlx5QpMask", "MLX5DV_QP_MASK_"),
            entry("Mlx5SendOps", "MLX5DV_QP_EX_WITH_"),
            entry("Mlx5SigMask", "MLX5DV_SIG_MASK_"),
            entry("Mlx5SrqMask", "MLX5DV_SRQ_MASK_"),
            entry("Mlx5T10DifFlags", "MLX5DV_SIG_T10DIF_FLAG_"),
            entry("Mlx5T10DifGuard", "MLX5DV_SIG_T10DIF_"),
            entry("Mlx5TunnelOffloads", "MLX5DV_RAW_PACKET_CAP_TUNNELED_OFFLOAD_"),
            entry("Mlx5WcOpcode", "MLX5DV_WC_"),
            entry("PacketReformatType", "MLX5DV_FLOW_ACTION_PACKET_REFORMAT_TYPE_"),
            entry("SteeringActionFlags", "MLX5DV_DR_ACTION_FLAGS_"),
            entry("SteeringDomainType", "MLX5DV_DR_DOMAIN_TYPE_"),
            entry("SteeringSyncFlags", "MLX5DV_DR_DOMAIN_SYNC_FLAGS_"),
            entry("UarType", "MLX5DV_UAR_ALLOC_TYPE_"),
            entry("VarFlags", "MLX5DV_VAR_ALLOC_FLAG_"));

    /** Classes whose constants come from another header. */
    private static final Map<String, String> HEADERS = Map.of("DevxException", "errno.h");

    /** Constants whose name in C differs from the rule. */
    private static final Map<String, String> OTHERWISE = Map.ofEntries(
            entry("DevxEventChannelFlags.OMIT_DATA", "MLX5DV_DEVX_CREATE_EVENT_CHANNEL_FLAGS_OMIT_EV_DATA"),
            entry("DevxException.EREMOTEIO", "EREMOTEIO"),
            entry("DevxUmemAttr.MASK_DMABUF", "MLX5DV_UMEM_MASK_DMABUF"),
            entry("FlowMatcherAttr.MASK_FT_TYPE", "MLX5DV_FLOW_MATCHER_MASK_FT_TYPE"),
            entry("FlowMatcherAttr.MASK_IB_PORT", "MLX5DV_FLOW_MATCHER_MASK_IB_PORT"),
            entry("Steering.ESP_REQUIRE_METADATA", "MLX5DV_FLOW_ACTION_FLAGS_REQUIRE_METADATA"),
            entry("Mlx5ContextMask.CQE_COMPRESSION", "MLX5DV_CONTEXT_MASK_CQE_COMPRESION"),
            entry("Mlx5CryptoCaps.CRYPTO", "MLX5DV_CRYPTO_CAPS_CRYPTO"),
            entry("Mlx5CryptoCaps.ENGINE_AES_XTS", "MLX5DV_CRYPTO_ENGINES_CAP_AES_XTS"),
            entry("Mlx5CryptoCaps.ENGINE_AES_XTS_MULTI_BLOCK", "MLX5DV_CRYPTO_ENGINES_CAP_AES_XTS_MULTI_BLOCK"),
            entry("Mlx5CryptoCaps.ENGINE_AES_XTS_SINGLE_BLOCK", "MLX5DV_CRYPTO_ENGINES_CAP_AES_XTS_SINGLE_BLOCK"),
            entry("Mlx5CryptoCaps.IMPORT_AES_XTS", "MLX5DV_CRYPTO_WRAPPED_IMPORT_METHOD_CAP_AES_XTS"),
            entry(
                    "Mlx5CryptoCaps.WRAPPED_CRYPTO_GOING_TO_COMMISSIONING",
                    "MLX5DV_CRYPTO_CAPS_WRAPPED_CRYPTO_GOING_TO_COMMISSIONING"),
            entry("Mlx5CryptoCaps.WRAPPED_CRYPTO_OPERATIONAL", "MLX5DV_CRYPTO_CAPS_WRAPPED_CRYPTO_OPERATIONAL"),
            entry("Mlx5OpenAttr.DEVX", "MLX5DV_CONTEXT_FLAGS_DEVX"),
            entry("Mlx5SignatureCaps.BLOCK_4048", "MLX5DV_BLOCK_SIZE_CAP_4048"),
            entry("Mlx5SignatureCaps.BLOCK_4096", "MLX5DV_BLOCK_SIZE_CAP_4096"),
            entry("Mlx5SignatureCaps.BLOCK_4160", "MLX5DV_BLOCK_SIZE_CAP_4160"),
            entry("Mlx5SignatureCaps.BLOCK_512", "MLX5DV_BLOCK_SIZE_CAP_512"),
            entry("Mlx5SignatureCaps.BLOCK_520", "MLX5DV_BLOCK_SIZE_CAP_520"),
            entry("Mlx5SignatureCaps.CRC32", "MLX5DV_SIG_CRC_TYPE_CAP_CRC32"),
            entry("Mlx5SignatureCaps.CRC32C", "MLX5DV_SIG_CRC_TYPE_CAP_CRC32C"),
            entry("Mlx5SignatureCaps.CRC64_XP10", "MLX5DV_SIG_CRC_TYPE_CAP_CRC64_XP10"),
            entry("Mlx5SignatureCaps.PROT_CRC", "MLX5DV_SIG_PROT_CAP_CRC"),
            entry("Mlx5SignatureCaps.PROT_T10DIF", "MLX5DV_SIG_PROT_CAP_T10DIF"),
            entry("Mlx5SignatureCaps.T10DIF_BG_CRC", "MLX5DV_SIG_T10DIF_BG_CAP_CRC"),
            entry("Mlx5SignatureCaps.T10DIF_BG_CSUM", "MLX5DV_SIG_T10DIF_BG_CAP_CSUM"),
            entry("Mlx5SwParsing.CSUM", "MLX5DV_SW_PARSING_CSUM"),
            entry("Mlx5SwParsing.LSO", "MLX5DV_SW_PARSING_LSO"),
            entry("Mlx5SwParsing.PARSING", "MLX5DV_SW_PARSING"));

    /** Classes and constants without a counterpart in an installed C header, and why. */
    private static final Map<String, String> NOT_IN_C = Map.of(
            "DevxOpcode", "the device's own numbers, in rdma-core's sources and the kernel's only",
            "DevxStatus", "as these",
            "DevxEventType", "as these",
            "DevxEventChannel.MAX_EVENTS", "a limit of the kernel",
            "DevxEq.ENTRY_LENGTH", "the device's",
            "FlowMatchParameters.MAX_LENGTH", "a limit of this binding",
            "Mailbox", "limits of the kernel",
            "MatchCriteria", "the device's, as DevxOpcode",
            "ModifyField", "the device's, as DevxOpcode",
            "SteeringMatcher.MAX_ACTIONS", "a limit of this binding");

    /** Names that mlx5dv.h has had only since a release after 33. */
    private static final Map<String, Integer> SINCE = Map.ofEntries(
            entry("MLX5DV_BLOCK_SIZE_4048", 36),
            entry("MLX5DV_BLOCK_SIZE_4096", 36),
            entry("MLX5DV_BLOCK_SIZE_4160", 36),
            entry("MLX5DV_BLOCK_SIZE_512", 36),
            entry("MLX5DV_BLOCK_SIZE_520", 36),
            entry("MLX5DV_BLOCK_SIZE_CAP_4048", 36),
            entry("MLX5DV_BLOCK_SIZE_CAP_4096", 36),
            entry("MLX5DV_BLOCK_SIZE_CAP_4160", 36),
            entry("MLX5DV_BLOCK_SIZE_CAP_512", 36),
            entry("MLX5DV_BLOCK_SIZE_CAP_520", 36),
            entry("MLX5DV_CONTEXT_FLAGS_BLUEFLAME", 58),
            entry("MLX5DV_CONTEXT_FLAGS_REAL_TIME_TS", 36),
            entry("MLX5DV_CONTEXT_MASK_CRYPTO_OFFLOAD", 37),
            entry("MLX5DV_CONTEXT_MASK_DCI_STREAMS", 37),
            entry("MLX5DV_CONTEXT_MASK_MAX_DC_RD_ATOM", 47),
            entry("MLX5DV_CONTEXT_MASK_OOO_RECV_WRS", 55),
            entry("MLX5DV_CONTEXT_MASK_REG_C0", 50),
            entry("MLX5DV_CONTEXT_MASK_SIGNATURE_OFFLOAD", 36),
            entry("MLX5DV_CONTEXT_MASK_WR_MEMCPY_LENGTH", 37),
            entry("MLX5DV_CRYPTO_CAPS_CRYPTO", 37),
            entry("MLX5DV_CRYPTO_CAPS_WRAPPED_CRYPTO_GOING_TO_COMMISSIONING", 37),
            entry("MLX5DV_CRYPTO_CAPS_WRAPPED_CRYPTO_OPERATIONAL", 37),
            entry("MLX5DV_CRYPTO_ENGINES_CAP_AES_XTS", 37),
            entry("MLX5DV_CRYPTO_ENGINES_CAP_AES_XTS_MULTI_BLOCK", 44),
            entry("MLX5DV_CRYPTO_ENGINES_CAP_AES_XTS_SINGLE_BLOCK", 42),
            entry("MLX5DV_CRYPTO_WRAPPED_IMPORT_METHOD_CAP_AES_XTS", 37),
            entry("MLX5DV_MKEY_CONF_FLAG_RESET_SIG_ATTR", 36),
            entry("MLX5DV_MKEY_INIT_ATTR_FLAGS_BLOCK_SIGNATURE", 36),
            entry("MLX5DV_MKEY_INIT_ATTR_FLAGS_REMOTE_INVALIDATE", 43),
            entry("MLX5DV_MKEY_INIT_ATTR_FLAGS_UPDATE_TAG", 43),
            entry("MLX5DV_MKEY_NO_ERR", 36),
            entry("MLX5DV_MKEY_SIG_BLOCK_BAD_APPTAG", 36),
            entry("MLX5DV_MKEY_SIG_BLOCK_BAD_GUARD", 36),
            entry("MLX5DV_MKEY_SIG_BLOCK_BAD_REFTAG", 36),
            entry("MLX5DV_DR_ACTION_FLAGS_ASO_CT_DIRECTION_INITIATOR", 35),
            entry("MLX5DV_DR_ACTION_FLAGS_ASO_CT_DIRECTION_RESPONDER", 35),
            entry("MLX5DV_DR_MATCHER_LAYOUT_NUM_RULE", 37),
            entry("MLX5DV_DR_MATCHER_LAYOUT_RESIZABLE", 37),
            entry("MLX5DV_FLOW_MATCHER_MASK_IB_PORT", 57),
            entry("MLX5DV_FLOW_TABLE_TYPE_RDMA_TRANSPORT_RX", 57),
            entry("MLX5DV_FLOW_TABLE_TYPE_RDMA_TRANSPORT_TX", 57),
            entry("MLX5DV_QP_CREATE_OOO_DP", 55),
            entry("MLX5DV_QP_CREATE_SIG_PIPELINING", 36),
            entry("MLX5DV_QP_EX_WITH_MEMCPY", 37),
            entry("MLX5DV_QP_EX_WITH_MKEY_CONFIGURE", 36),
            entry("MLX5DV_QP_EX_WITH_RAW_WQE", 36),
            entry("MLX5DV_QP_INIT_ATTR_MASK_DCI_STREAMS", 37),
            entry("MLX5DV_SIG_CRC_TYPE_CAP_CRC32", 36),
            entry("MLX5DV_SIG_CRC_TYPE_CAP_CRC32C", 36),
            entry("MLX5DV_SIG_CRC_TYPE_CAP_CRC64_XP10", 36),
            entry("MLX5DV_SIG_CRC_TYPE_CRC32", 36),
            entry("MLX5DV_SIG_CRC_TYPE_CRC32C", 36),
            entry("MLX5DV_SIG_CRC_TYPE_CRC64_XP10", 36),
            entry("MLX5DV_SIG_MASK_CRC32", 36),
            entry("MLX5DV_SIG_MASK_CRC32C", 36),
            entry("MLX5DV_SIG_MASK_CRC64_XP10", 36),
            entry("MLX5DV_SIG_MASK_T10DIF_APPTAG", 36),
            entry("MLX5DV_SIG_MASK_T10DIF_GUARD", 36),
            entry("MLX5DV_SIG_MASK_T10DIF_REFTAG", 36),
            entry("MLX5DV_SIG_PROT_CAP_CRC", 36),
            entry("MLX5DV_SIG_PROT_CAP_T10DIF", 36),
            entry("MLX5DV_SIG_T10DIF_BG_CAP_CRC", 36),
            entry("MLX5DV_SIG_T10DIF_BG_CAP_CSUM", 36),
            entry("MLX5DV_SIG_T10DIF_CRC", 36),
            entry("MLX5DV_SIG_T10DIF_CSUM", 36),
            entry("MLX5DV_SIG_T10DIF_FLAG_APP_ESCAPE", 36),
            entry("MLX5DV_SIG_T10DIF_FLAG_APP_REF_ESCAPE", 36),
            entry("MLX5DV_SIG_T10DIF_FLAG_REF_REMAP", 36),
            entry("MLX5DV_UAR_ALLOC_TYPE_NC_DEDICATED", 45),
            entry("MLX5DV_UMEM_MASK_DMABUF", 43),
            entry("MLX5DV_VAR_ALLOC_FLAG_TLP", 63),
            entry("MLX5DV_WC_MEMCPY", 37),
            entry("MLX5DV_WC_RAW_WQE", 36));

    static final ConstantRules RULES =
            new ConstantRules(Mlx5Dv.class, "infiniband/mlx5dv.h", PREFIXES, HEADERS, OTHERWISE, NOT_IN_C, SINCE);

    static final Oracle ORACLE = Oracle.of(DvObjLayout.class, RULES, 280);

    private Mlx5Claims() {}
}
