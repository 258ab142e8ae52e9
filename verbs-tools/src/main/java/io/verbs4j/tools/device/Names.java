/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.device;

import io.verbs4j.AtomicCap;
import io.verbs4j.DeviceCap;
import io.verbs4j.DeviceKind;
import io.verbs4j.Gid;
import io.verbs4j.GidEntry;
import io.verbs4j.GidType;
import io.verbs4j.LinkLayer;
import io.verbs4j.Mtu;
import io.verbs4j.PortState;
import io.verbs4j.TransportType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Words of {@code ibv_devinfo(1)} for codes that the header's own texts word differently. */
final class Names {
    /**
     * Capabilities that {@link DeviceCap} of level 2 does not name, because they belong to features of later levels.
     */
    private static final String[] LATER = new String[Integer.SIZE];

    static {
        LATER[18] = "UD_IP_CSUM";
        LATER[21] = "MEM_MGT_EXTENSIONS";
        LATER[23] = "MEM_WINDOW_TYPE_2A";
        LATER[24] = "MEM_WINDOW_TYPE_2B";
        LATER[25] = "RC_IP_CSUM";
        LATER[26] = "RAW_IP_CSUM";
        LATER[29] = "MANAGED_FLOW_STEERING";
    }

    private Names() {}

    /** {@return the name of a transport; {@code ibv_devinfo(1)} knows more than the header of level 2} */
    static String transport(int transport) {
        return switch (transport) {
            case TransportType.IB, TransportType.IWARP -> TransportType.toString(transport);
            case 2 -> "usNIC";
            case 3 -> "usNIC UDP";
            case 4 -> "unspecified";
            default -> "invalid transport";
        };
    }

    /** {@return what does the work: hardware, kernel or embedded} */
    static String kind(int kind) {
        return DeviceKind.toString(kind).toLowerCase(Locale.ROOT);
    }

    static String portState(int state) {
        return switch (state) {
            case PortState.DOWN -> "PORT_DOWN";
            case PortState.INIT -> "PORT_INIT";
            case PortState.ARMED -> "PORT_ARMED";
            case PortState.ACTIVE -> "PORT_ACTIVE";
            default -> "invalid state";
        };
    }

    /** {@return the names of the bits, from the lowest; bits without a name come last} */
    static List<String> capabilities(int bits) {
        List<String> names = new ArrayList<>();
        int unknown = 0;
        for (int rest = bits; rest != 0; rest &= rest - 1) {
            int bit = Integer.lowestOneBit(rest);
            String name = DeviceCap.toString(bit);
            String later = LATER[Integer.numberOfTrailingZeros(bit)];
            if (!name.startsWith("0x")) {
                names.add(name);
            } else if (later != null) {
                names.add(later);
            } else {
                unknown |= bit;
            }
        }
        if (unknown != 0) {
            names.add(String.format(Locale.ROOT, "Unknown flags: 0x%X", unknown));
        }
        return names;
    }

    /** {@return the type of a GID as the C program appends it on Ethernet; empty if unknown} */
    static String gidType(GidEntry entry, int linkLayer) {
        if (linkLayer != LinkLayer.ETHERNET || !entry.has(GidEntry.GID_TYPE)) {
            return "";
        }
        return entry.gidType() == GidType.ROCE_V2 ? ", RoCE v2" : ", RoCE v1";
    }

    /** {@return the text of a GID; on Ethernet, written as an address} */
    static String gid(Gid gid, int linkLayer) {
        return linkLayer == LinkLayer.ETHERNET && !gid.isIpv4Mapped() ? ipv6(gid) : gid.toString();
    }

    /** Writes a GID as inet_ntop(3) does: without leading zeros and without the longest run of zeros. */
    private static String ipv6(Gid gid) {
        int[] groups = new int[8];
        for (int i = 0; i < groups.length; i++) {
            long half = i < 4 ? gid.subnetPrefix() : gid.interfaceId();
            groups[i] = (int) (half >>> 48 - i % 4 * 16) & 0xffff;
        }
        int from = 0;
        int length = 1; // a single group of zeros stays
        for (int i = 0; i < groups.length; i++) {
            int end = i;
            while (end < groups.length && groups[end] == 0) {
                end++;
            }
            if (end - i > length) {
                from = i;
                length = end - i;
            }
        }
        return length == 1 ? hex(groups, 0, 8) : hex(groups, 0, from) + "::" + hex(groups, from + length, 8);
    }

    private static String hex(int[] groups, int from, int to) {
        return Arrays.stream(groups, from, to).mapToObj(Integer::toHexString).collect(Collectors.joining(":"));
    }

    static String mtu(int mtu) {
        return mtu < Mtu.MTU_256 || mtu > Mtu.MTU_4096 ? "invalid MTU" : Integer.toString(Mtu.toBytes(mtu));
    }

    static String atomicCap(int cap) {
        return cap < AtomicCap.NONE || cap > AtomicCap.GLOB ? "invalid atomic capability" : AtomicCap.toString(cap);
    }

    static String width(int width) {
        return switch (width) {
            case 1 -> "1";
            case 2 -> "4";
            case 4 -> "8";
            case 8 -> "12";
            case 16 -> "2";
            default -> "invalid width";
        };
    }

    static String speed(int speed) {
        return switch (speed) {
            case 1 -> "2.5 Gbps";
            case 2 -> "5.0 Gbps";
            case 4, 8 -> "10.0 Gbps";
            case 16 -> "14.0 Gbps";
            case 32 -> "25.0 Gbps";
            case 64 -> "50.0 Gbps";
            case 128 -> "100.0 Gbps";
            case 256 -> "200.0 Gbps";
            default -> "invalid speed";
        };
    }

    static String virtualLanes(int code) {
        return switch (code) {
            case 1 -> "1";
            case 2 -> "2";
            case 3 -> "4";
            case 4 -> "8";
            case 5 -> "15";
            default -> "invalid value";
        };
    }
}
