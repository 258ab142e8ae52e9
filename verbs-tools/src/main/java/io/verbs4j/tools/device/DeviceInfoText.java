/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.device;

import io.verbs4j.DeviceAttr;
import io.verbs4j.GidEntry;
import io.verbs4j.GidType;
import io.verbs4j.LinkLayer;
import io.verbs4j.PortAttr;
import io.verbs4j.PortPhysState;
import io.verbs4j.TransportType;
import io.verbs4j.tools.text.Printable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Writes {@link DeviceInfo} with the field names and the layout of {@code ibv_devinfo(1)}. */
public final class DeviceInfoText {
    private static final int TAB = 8;

    /** Columns where the values of a device and of a port begin. */
    private static final int DEVICE_COLUMN = 5 * TAB;

    private static final int PORT_COLUMN = 6 * TAB;

    private final StringBuilder out = new StringBuilder();

    private DeviceInfoText() {}

    /**
     * {@return the text for people}
     *
     * @param info what to write
     * @param verbose whether to write all attributes and the tables
     */
    public static String write(DeviceInfo info, boolean verbose) {
        DeviceInfoText text = new DeviceInfoText();
        text.out.append("hca_id:\t").append(Printable.of(info.name())).append('\n');
        text.fields(deviceFields(info, verbose), 1, DEVICE_COLUMN);
        if (verbose) {
            text.out.append(DeviceExText.write(info.attrEx()));
            text.fields(Map.of("num_comp_vectors", info.completionVectors()), 1, DEVICE_COLUMN);
            text.vendor(info.vendor());
        }
        for (DeviceInfo.Port port : info.ports()) {
            text.out.append("\t\tport:\t").append(port.number()).append('\n');
            text.fields(portFields(info, port, verbose), 3, PORT_COLUMN);
            if (verbose) {
                text.tables(port);
            }
            text.out.append('\n');
        }
        return text.out.toString();
    }

    /** {@return all fields for programs} */
    public static Map<String, Object> json(DeviceInfo info) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("hca_id", info.name());
        map.putAll(deviceFields(info, true));
        map.putAll(DeviceExText.json(info.attrEx()));
        map.put("num_comp_vectors", info.completionVectors());
        if (!info.vendor().name().isEmpty()) {
            map.put(info.vendor().name(), info.vendor().fields());
        }
        int capabilities = info.attr().deviceCapFlags();
        map.put("device_cap_flags", hex("0x%08x", capabilities));
        map.put("device_cap_flag_names", Names.capabilities(capabilities));
        List<Object> ports = new ArrayList<>();
        for (DeviceInfo.Port port : info.ports()) {
            Map<String, Object> portMap = new LinkedHashMap<>();
            portMap.put("port", port.number());
            portMap.putAll(portFields(info, port, true));
            Map<String, Object> gids = new TreeMap<>();
            Map<String, Object> types = new TreeMap<>();
            for (GidEntry entry : port.gids()) {
                String index = Integer.toString(entry.gidIndex());
                gids.put(index, Names.gid(entry.gid(), port.attr().linkLayer()));
                if (entry.has(GidEntry.GID_TYPE)) {
                    types.put(index, GidType.toString(entry.gidType()));
                }
            }
            portMap.put("gids", gids);
            portMap.put("gid_types", types);
            portMap.put(
                    "pkeys",
                    port.pkeys().stream()
                            .map(p -> String.format(Locale.ROOT, "0x%04x", p))
                            .toList());
            ports.add(portMap);
        }
        map.put("ports", ports);
        return map;
    }

    private static Map<String, Object> deviceFields(DeviceInfo info, boolean verbose) {
        DeviceAttr a = info.attr();
        Map<String, Object> f = new LinkedHashMap<>();
        f.put("transport", Names.transport(info.transport()) + " (" + info.transport() + ")");
        if (a.fwVer() != null && !a.fwVer().isEmpty()) {
            f.put("fw_ver", Printable.of(a.fwVer()));
        }
        f.put("node_guid", guid(a.nodeGuid()));
        f.put("sys_image_guid", guid(a.sysImageGuid()));
        f.put("vendor_id", hex("0x%04x", a.vendorId()));
        f.put("vendor_part_id", a.vendorPartId());
        f.put("hw_ver", hex("0x%X", a.hwVer()));
        if (!info.boardId().isEmpty()) {
            f.put("board_id", Printable.of(info.boardId()));
        }
        f.put("phys_port_cnt", a.physPortCnt());
        if (verbose) {
            f.put("max_mr_size", "0x" + Long.toHexString(a.maxMrSize()));
            f.put("page_size_cap", "0x" + Long.toHexString(a.pageSizeCap()));
            f.put("max_qp", a.maxQp());
            f.put("max_qp_wr", a.maxQpWr());
            f.put("device_cap_flags", hex("0x%08x", a.deviceCapFlags()) + flags(a.deviceCapFlags()));
            f.put("max_sge", a.maxSge());
            f.put("max_sge_rd", a.maxSgeRd());
            f.put("max_cq", a.maxCq());
            f.put("max_cqe", a.maxCqe());
            f.put("max_mr", a.maxMr());
            f.put("max_pd", a.maxPd());
            f.put("max_qp_rd_atom", a.maxQpRdAtom());
            f.put("max_ee_rd_atom", a.maxEeRdAtom());
            f.put("max_res_rd_atom", a.maxResRdAtom());
            f.put("max_qp_init_rd_atom", a.maxQpInitRdAtom());
            f.put("max_ee_init_rd_atom", a.maxEeInitRdAtom());
            f.put("atomic_cap", Names.atomicCap(a.atomicCap()) + " (" + a.atomicCap() + ")");
            f.put("max_ee", a.maxEe());
            f.put("max_rdd", a.maxRdd());
            f.put("max_mw", a.maxMw());
            f.put("max_raw_ipv6_qp", a.maxRawIpv6Qp());
            f.put("max_raw_ethy_qp", a.maxRawEthyQp());
            f.put("max_mcast_grp", a.maxMcastGrp());
            f.put("max_mcast_qp_attach", a.maxMcastQpAttach());
            f.put("max_total_mcast_qp_attach", a.maxTotalMcastQpAttach());
            f.put("max_ah", a.maxAh());
            f.put("max_fmr", a.maxFmr());
            if (a.maxFmr() != 0) {
                f.put("max_map_per_fmr", a.maxMapPerFmr());
            }
            f.put("max_srq", a.maxSrq());
            if (a.maxSrq() != 0) {
                f.put("max_srq_wr", a.maxSrqWr());
                f.put("max_srq_sge", a.maxSrqSge());
            }
            f.put("max_pkeys", a.maxPkeys());
            f.put("local_ca_ack_delay", a.localCaAckDelay());
        }
        return f;
    }

    private static Map<String, Object> portFields(DeviceInfo info, DeviceInfo.Port port, boolean verbose) {
        PortAttr a = port.attr();
        Map<String, Object> f = new LinkedHashMap<>();
        f.put("state", Names.portState(a.state()) + " (" + a.state() + ")");
        f.put("max_mtu", Names.mtu(a.maxMtu()) + " (" + a.maxMtu() + ")");
        f.put("active_mtu", Names.mtu(a.activeMtu()) + " (" + a.activeMtu() + ")");
        f.put("sm_lid", a.smLid());
        f.put("port_lid", a.lid());
        f.put("port_lmc", hex("0x%02x", a.lmc()));
        f.put("link_layer", LinkLayer.toString(a.linkLayer()));
        if (verbose) {
            f.put("max_msg_sz", "0x" + Long.toHexString(a.maxMsgSz()));
            f.put("port_cap_flags", hex("0x%08x", a.portCapFlags()));
            f.put("max_vl_num", Names.virtualLanes(a.maxVlNum()) + " (" + a.maxVlNum() + ")");
            f.put("bad_pkey_cntr", hex("0x%x", a.badPkeyCntr()));
            f.put("qkey_viol_cntr", hex("0x%x", a.qkeyViolCntr()));
            f.put("sm_sl", a.smSl());
            f.put("pkey_tbl_len", a.pkeyTblLen());
            f.put("gid_tbl_len", a.gidTblLen());
            f.put("subnet_timeout", a.subnetTimeout());
            f.put("init_type_reply", a.initTypeReply());
            f.put("active_width", Names.width(a.activeWidth()) + "X (" + a.activeWidth() + ")");
            f.put("active_speed", Names.speed(a.activeSpeed()) + " (" + a.activeSpeed() + ")");
            if (info.transport() == TransportType.IB) {
                f.put("phys_state", PortPhysState.toString(a.physState()) + " (" + a.physState() + ")");
            }
        }
        return f;
    }

    private void fields(Map<String, Object> fields, int indent, int column) {
        fields.forEach((name, value) -> {
            out.append("\t".repeat(indent)).append(name).append(':');
            int at = indent * TAB + name.length() + 1;
            do {
                out.append('\t');
                at = (at / TAB + 1) * TAB;
            } while (at < column);
            out.append(value).append('\n');
        });
    }

    /** Appends what the C program has no lines for: after the device's fields, in the same layout. */
    private void vendor(VendorInfo vendor) {
        if (vendor.name().isEmpty()) {
            return;
        }
        out.append('\t').append(vendor.name()).append(":\n");
        vendor.fields().forEach((name, value) -> {
            if (value instanceof List<?> names) {
                names.forEach(bit -> out.append("\t".repeat(5)).append(bit).append('\n'));
            } else {
                fields(Map.of(name, value), 2, DEVICE_COLUMN);
            }
        });
    }

    private void tables(DeviceInfo.Port port) {
        int linkLayer = port.attr().linkLayer();
        for (GidEntry entry : port.gids()) {
            out.append(String.format(
                    Locale.ROOT,
                    "\t\t\tGID[%3d]:\t\t%s%s%n",
                    entry.gidIndex(),
                    Names.gid(entry.gid(), linkLayer),
                    Names.gidType(entry, linkLayer)));
        }
        for (int i = 0; i < port.pkeys().size(); i++) {
            if (port.pkeys().get(i) != 0) {
                out.append(String.format(
                        Locale.ROOT,
                        "\t\t\tPKey[%3d]:\t\t0x%04x%n",
                        i,
                        port.pkeys().get(i)));
            }
        }
    }

    /** {@return the names of the bits, each on its own line below the number} */
    private static String flags(int bits) {
        return Names.capabilities(bits).stream()
                .map(name -> "\n" + "\t".repeat(5) + name)
                .collect(Collectors.joining());
    }

    private static String guid(long guid) {
        return String.format(
                Locale.ROOT,
                "%04x:%04x:%04x:%04x",
                guid >>> 48,
                guid >>> 32 & 0xffff,
                guid >>> 16 & 0xffff,
                guid & 0xffff);
    }

    private static String hex(String format, int value) {
        return String.format(Locale.ROOT, format, value);
    }
}
