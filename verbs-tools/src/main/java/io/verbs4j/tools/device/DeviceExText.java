/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.device;

import io.verbs4j.DeviceAttrEx;
import io.verbs4j.DeviceCap;
import io.verbs4j.OdpGeneralCaps;
import io.verbs4j.OdpTransportCaps;
import io.verbs4j.QpType;
import io.verbs4j.RawPacketCaps;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Writes a device's extended attributes with the names of {@code ibv_devinfo -v}; fields that are not filled are left
 * out.
 */
final class DeviceExText {
    private static final String NAMES_BELOW = "\n\t\t\t\t\t";

    private final DeviceAttrEx attr;
    private final StringBuilder out = new StringBuilder();

    private DeviceExText(DeviceAttrEx attr) {
        this.attr = attr;
    }

    static String write(DeviceAttrEx attr) {
        DeviceExText text = new DeviceExText(attr);
        text.onDemand();
        text.clock();
        text.offloads();
        text.pacing();
        text.tagMatching();
        text.rest();
        return text.out.toString();
    }

    private void onDemand() {
        if (attr.has(DeviceAttrEx.ODP_GENERAL_CAPS)) {
            line(1, "general_odp_caps", below("ODP_", OdpGeneralCaps.toString(attr.odpGeneralCaps())));
        }
        transport(DeviceAttrEx.ODP_RC_CAPS, "rc_odp_caps", attr.odpRcCaps());
        transport(DeviceAttrEx.ODP_UC_CAPS, "uc_odp_caps", attr.odpUcCaps());
        transport(DeviceAttrEx.ODP_UD_CAPS, "ud_odp_caps", attr.odpUdCaps());
        transport(DeviceAttrEx.XRC_ODP_CAPS, "xrc_odp_caps", attr.xrcOdpCaps());
    }

    private void transport(int field, String name, int caps) {
        if (attr.has(field)) {
            // ibv_devinfo writes SRQ for receives through a shared queue.
            String names = OdpTransportCaps.toString(caps).replace("SRQ_RECV", "SRQ");
            line(1, name, caps == 0 ? NAMES_BELOW + "NO SUPPORT" : below("SUPPORT_", names));
        }
    }

    private void clock() {
        if (attr.completionTimestampMask() != 0) {
            line(1, "completion timestamp_mask", hex("0x%016x", attr.completionTimestampMask()));
        } else if (attr.has(DeviceAttrEx.COMPLETION_TIMESTAMP_MASK)) {
            line(1, "completion_timestamp_mask not supported", null);
        }
        if (attr.hcaCoreClock() != 0) {
            line(1, "hca_core_clock", attr.hcaCoreClock() + "kHZ");
        } else if (attr.has(DeviceAttrEx.HCA_CORE_CLOCK)) {
            line(1, "core clock not supported", null);
        }
    }

    private void offloads() {
        if (attr.rawPacketCaps() != 0) {
            line(1, "raw packet caps", below("", RawPacketCaps.toString(attr.rawPacketCaps())));
        }
        if (attr.has(DeviceAttrEx.DEVICE_CAP_FLAGS_EX)) {
            // device_cap_flags shows the names of the lower bits.
            long upper = attr.deviceCapFlagsEx() >>> 32 << 32;
            String names = upper == 0 ? "" : below("", DeviceCap.toString(upper));
            line(1, "device_cap_flags_ex", hex("0x%X", attr.deviceCapFlagsEx()) + names);
        }
        if (attr.has(DeviceAttrEx.TSO_MAX_TSO)) {
            line(1, "tso_caps", "");
            line(2, "max_tso", attr.tsoMaxTso());
            types(attr.tsoSupportedQpts());
        }
        if (attr.has(DeviceAttrEx.RSS_RX_HASH_FUNCTION)) {
            line(1, "rss_caps", "");
            line(2, "max_rwq_indirection_tables", attr.rssMaxRwqIndirectionTables());
            line(2, "max_rwq_indirection_table_size", attr.rssMaxRwqIndirectionTableSize());
            line(2, "rx_hash_function", hex("0x%x", attr.rssRxHashFunction()));
            line(2, "rx_hash_fields_mask", hex("0x%X", attr.rssRxHashFieldsMask()));
            types(attr.rssSupportedQpts());
        }
        if (attr.has(DeviceAttrEx.MAX_WQ_TYPE_RQ)) {
            line(1, "max_wq_type_rq", Integer.toUnsignedString(attr.maxWqTypeRq()));
        }
    }

    private void pacing() {
        if (attr.has(DeviceAttrEx.PACKET_PACING_QP_RATE_LIMIT_MAX)) {
            line(1, "packet_pacing_caps", "");
            line(2, "qp_rate_limit_min", attr.packetPacingQpRateLimitMin() + "kbps");
            line(2, "qp_rate_limit_max", attr.packetPacingQpRateLimitMax() + "kbps");
            types(attr.packetPacingSupportedQpts());
        }
    }

    private void tagMatching() {
        if (attr.tmMaxNumTags() != 0) {
            line(1, "max_rndv_hdr_size", attr.tmMaxRndvHdrSize());
            line(1, "max_num_tags", attr.tmMaxNumTags());
            line(1, "max_ops", attr.tmMaxOps());
            line(1, "max_sge", attr.tmMaxSge());
            line(1, "flags", hex("0x%x", attr.tmFlags()));
        } else if (attr.has(DeviceAttrEx.TM_MAX_NUM_TAGS)) {
            line(1, "tag matching not supported", null);
        }
    }

    private void rest() {
        if (attr.cqModerationMaxCqCount() != 0) {
            line(1, "cq moderation caps", "");
            line(2, "max_cq_count", attr.cqModerationMaxCqCount());
            line(2, "max_cq_period", attr.cqModerationMaxCqPeriod() + " us");
        }
        if (attr.maxDmSize() != 0) {
            line(1, "maximum available device memory", Long.toUnsignedString(attr.maxDmSize()) + "Bytes");
        }
    }

    private void types(int types) {
        if (types == 0) {
            return;
        }
        StringBuilder names = new StringBuilder();
        for (int type = 0; type < Integer.SIZE; type++) {
            if ((types & 1 << type) != 0) {
                names.append(NAMES_BELOW).append("SUPPORT_").append(QpType.toString(type));
            }
        }
        line(2, "supported_qp", names);
    }

    private void line(int indent, String name, Object value) {
        out.append("\t".repeat(indent)).append(name);
        if (value != null) {
            String text = value.toString();
            out.append(text.isEmpty() || text.startsWith("\n") ? ":" : ":\t").append(text);
        }
        out.append('\n');
    }

    /** {@return joined names, each on its own line} */
    private static String below(String prefix, String joined) {
        StringBuilder lines = new StringBuilder();
        for (String name : joined.split("\\|", -1)) {
            if (!name.equals("0")) {
                lines.append(NAMES_BELOW).append(prefix).append(name);
            }
        }
        return lines.toString();
    }

    private static String hex(String format, Number value) {
        return String.format(Locale.ROOT, format, value);
    }

    /** {@return all filled fields for programs, by the header's names} */
    static Map<String, Object> json(DeviceAttrEx attr) {
        Map<String, Object> map = new LinkedHashMap<>();
        put(map, attr, DeviceAttrEx.ODP_GENERAL_CAPS, "odp_general_caps", hex("0x%x", attr.odpGeneralCaps()));
        put(map, attr, DeviceAttrEx.ODP_RC_CAPS, "odp_rc_caps", hex("0x%x", attr.odpRcCaps()));
        put(map, attr, DeviceAttrEx.ODP_UC_CAPS, "odp_uc_caps", hex("0x%x", attr.odpUcCaps()));
        put(map, attr, DeviceAttrEx.ODP_UD_CAPS, "odp_ud_caps", hex("0x%x", attr.odpUdCaps()));
        put(map, attr, DeviceAttrEx.XRC_ODP_CAPS, "xrc_odp_caps", hex("0x%x", attr.xrcOdpCaps()));
        put(
                map,
                attr,
                DeviceAttrEx.COMPLETION_TIMESTAMP_MASK,
                "completion_timestamp_mask",
                hex("0x%016x", attr.completionTimestampMask()));
        put(map, attr, DeviceAttrEx.HCA_CORE_CLOCK, "hca_core_clock_khz", attr.hcaCoreClock());
        put(map, attr, DeviceAttrEx.RAW_PACKET_CAPS, "raw_packet_caps", hex("0x%x", attr.rawPacketCaps()));
        put(map, attr, DeviceAttrEx.DEVICE_CAP_FLAGS_EX, "device_cap_flags_ex", hex("0x%x", attr.deviceCapFlagsEx()));
        put(map, attr, DeviceAttrEx.TSO_MAX_TSO, "tso_max_tso", attr.tsoMaxTso());
        put(map, attr, DeviceAttrEx.TSO_SUPPORTED_QPTS, "tso_supported_qpts", hex("0x%x", attr.tsoSupportedQpts()));
        put(
                map,
                attr,
                DeviceAttrEx.RSS_MAX_RWQ_INDIRECTION_TABLES,
                "rss_max_rwq_indirection_tables",
                attr.rssMaxRwqIndirectionTables());
        put(
                map,
                attr,
                DeviceAttrEx.RSS_MAX_RWQ_INDIRECTION_TABLE_SIZE,
                "rss_max_rwq_indirection_table_size",
                attr.rssMaxRwqIndirectionTableSize());
        put(
                map,
                attr,
                DeviceAttrEx.RSS_RX_HASH_FUNCTION,
                "rss_rx_hash_function",
                hex("0x%x", attr.rssRxHashFunction()));
        put(
                map,
                attr,
                DeviceAttrEx.RSS_RX_HASH_FIELDS_MASK,
                "rss_rx_hash_fields_mask",
                hex("0x%x", attr.rssRxHashFieldsMask()));
        put(map, attr, DeviceAttrEx.RSS_SUPPORTED_QPTS, "rss_supported_qpts", hex("0x%x", attr.rssSupportedQpts()));
        put(map, attr, DeviceAttrEx.MAX_WQ_TYPE_RQ, "max_wq_type_rq", attr.maxWqTypeRq());
        put(
                map,
                attr,
                DeviceAttrEx.PACKET_PACING_QP_RATE_LIMIT_MIN,
                "packet_pacing_qp_rate_limit_min_kbps",
                attr.packetPacingQpRateLimitMin());
        put(
                map,
                attr,
                DeviceAttrEx.PACKET_PACING_QP_RATE_LIMIT_MAX,
                "packet_pacing_qp_rate_limit_max_kbps",
                attr.packetPacingQpRateLimitMax());
        put(
                map,
                attr,
                DeviceAttrEx.PACKET_PACING_SUPPORTED_QPTS,
                "packet_pacing_supported_qpts",
                hex("0x%x", attr.packetPacingSupportedQpts()));
        put(map, attr, DeviceAttrEx.TM_MAX_NUM_TAGS, "tm_max_num_tags", attr.tmMaxNumTags());
        put(
                map,
                attr,
                DeviceAttrEx.CQ_MODERATION_MAX_CQ_COUNT,
                "cq_moderation_max_cq_count",
                attr.cqModerationMaxCqCount());
        put(
                map,
                attr,
                DeviceAttrEx.CQ_MODERATION_MAX_CQ_PERIOD,
                "cq_moderation_max_cq_period_us",
                attr.cqModerationMaxCqPeriod());
        put(map, attr, DeviceAttrEx.MAX_DM_SIZE, "max_dm_size", attr.maxDmSize());
        put(map, attr, DeviceAttrEx.PCI_ATOMIC_FETCH_ADD, "pci_atomic_fetch_add", attr.pciAtomicFetchAdd());
        put(map, attr, DeviceAttrEx.PCI_ATOMIC_SWAP, "pci_atomic_swap", attr.pciAtomicSwap());
        put(map, attr, DeviceAttrEx.PCI_ATOMIC_COMPARE_SWAP, "pci_atomic_compare_swap", attr.pciAtomicCompareSwap());
        put(map, attr, DeviceAttrEx.PHYS_PORT_CNT_EX, "phys_port_cnt_ex", attr.physPortCntEx());
        return map;
    }

    private static void put(Map<String, Object> map, DeviceAttrEx attr, int field, String name, Object value) {
        if (attr.has(field)) {
            map.put(name, value);
        }
    }
}
