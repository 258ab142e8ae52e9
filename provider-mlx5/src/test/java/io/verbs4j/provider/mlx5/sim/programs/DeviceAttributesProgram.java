/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import io.verbs4j.Context;
import io.verbs4j.DeviceAttr;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.GidEntry;
import io.verbs4j.rdmacore.sim.Check;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A program that prints the same about a device as {@code attributes.c}, in the same words. The argument is the device.
 */
public final class DeviceAttributesProgram {
    private DeviceAttributesProgram() {}

    public static void main(String... args) {
        try (Context context = Mlx5Rig.open(args[0], "native")) {
            DeviceAttrEx attr = context.queryDeviceEx();
            System.out.println("orig_attr.fw_ver " + attr.origAttr().fwVer());
            of(attr).forEach((name, value) -> System.out.println(name + " " + Long.toUnsignedString(value)));
            for (GidEntry e : context.queryGidTable()) {
                System.out.println(told(e));
                Check.require(
                        told(context.queryGidEx(e.portNum(), e.gidIndex())).equals(told(e)), "another entry " + e);
            }
            DeviceAttr plain = context.queryDevice();
            Check.require(
                    plain.deviceCaps() == attr.deviceCapFlagsEx(),
                    "query_device has other capabilities: " + plain.deviceCaps());
        }
    }

    private static String told(GidEntry e) {
        return String.format(
                Locale.ROOT,
                "gid %d %d %d %d %016x%016x",
                e.portNum(),
                e.gidIndex(),
                e.gidType(),
                e.ndevIfindex(),
                e.gid().subnetPrefix(),
                e.gid().interfaceId());
    }

    private static Map<String, Long> of(DeviceAttrEx a) {
        Map<String, Long> all = new LinkedHashMap<>();
        DeviceAttr orig = a.origAttr();
        all.put("orig_attr.node_guid", Long.reverseBytes(orig.nodeGuid()));
        all.put("orig_attr.max_mr_size", orig.maxMrSize());
        all.put("orig_attr.vendor_id", (long) orig.vendorId());
        all.put("orig_attr.device_cap_flags", Integer.toUnsignedLong(orig.deviceCapFlags()));
        all.put("orig_attr.max_qp", (long) orig.maxQp());
        all.put("orig_attr.max_cqe", (long) orig.maxCqe());
        all.put("orig_attr.atomic_cap", (long) orig.atomicCap());
        all.put("orig_attr.max_pkeys", (long) orig.maxPkeys());
        all.put("orig_attr.local_ca_ack_delay", (long) orig.localCaAckDelay());
        all.put("orig_attr.phys_port_cnt", (long) orig.physPortCnt());
        all.put("odp_caps.general_caps", a.odpGeneralCaps());
        all.put("odp_caps.per_transport_caps.rc_odp_caps", (long) a.odpRcCaps());
        all.put("odp_caps.per_transport_caps.uc_odp_caps", (long) a.odpUcCaps());
        all.put("odp_caps.per_transport_caps.ud_odp_caps", (long) a.odpUdCaps());
        all.put("completion_timestamp_mask", a.completionTimestampMask());
        all.put("hca_core_clock", a.hcaCoreClock());
        all.put("device_cap_flags_ex", a.deviceCapFlagsEx());
        all.put("tso_caps.max_tso", (long) a.tsoMaxTso());
        all.put("tso_caps.supported_qpts", (long) a.tsoSupportedQpts());
        all.put("rss_caps.supported_qpts", (long) a.rssSupportedQpts());
        all.put("rss_caps.max_rwq_indirection_tables", (long) a.rssMaxRwqIndirectionTables());
        all.put("rss_caps.max_rwq_indirection_table_size", (long) a.rssMaxRwqIndirectionTableSize());
        all.put("rss_caps.rx_hash_fields_mask", a.rssRxHashFieldsMask());
        all.put("rss_caps.rx_hash_function", (long) a.rssRxHashFunction());
        all.put("max_wq_type_rq", (long) a.maxWqTypeRq());
        all.put("packet_pacing_caps.qp_rate_limit_min", a.packetPacingQpRateLimitMin());
        all.put("packet_pacing_caps.qp_rate_limit_max", a.packetPacingQpRateLimitMax());
        all.put("packet_pacing_caps.supported_qpts", (long) a.packetPacingSupportedQpts());
        all.put("raw_packet_caps", (long) a.rawPacketCaps());
        all.put("tm_caps.max_rndv_hdr_size", (long) a.tmMaxRndvHdrSize());
        all.put("tm_caps.max_num_tags", (long) a.tmMaxNumTags());
        all.put("tm_caps.flags", (long) a.tmFlags());
        all.put("tm_caps.max_ops", (long) a.tmMaxOps());
        all.put("tm_caps.max_sge", (long) a.tmMaxSge());
        all.put("cq_mod_caps.max_cq_count", (long) a.cqModerationMaxCqCount());
        all.put("cq_mod_caps.max_cq_period", (long) a.cqModerationMaxCqPeriod());
        all.put("max_dm_size", a.maxDmSize());
        all.put("pci_atomic_caps.fetch_add", (long) a.pciAtomicFetchAdd());
        all.put("pci_atomic_caps.swap", (long) a.pciAtomicSwap());
        all.put("pci_atomic_caps.compare_swap", (long) a.pciAtomicCompareSwap());
        all.put("xrc_odp_caps", (long) a.xrcOdpCaps());
        all.put("phys_port_cnt_ex", (long) a.physPortCntEx());
        return all;
    }
}
