/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.marshal;

import static io.verbs4j.rdmacore.call.Answers.narrow;

import io.verbs4j.AhAttr;
import io.verbs4j.Gid;
import io.verbs4j.GlobalRoute;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.layout.AhAttrLayout;
import io.verbs4j.rdmacore.layout.GlobalRouteLayout;

/** Converts address vectors and GIDs. */
public final class AhAttrs {
    private AhAttrs() {}

    /** Writes a {@code struct ibv_ah_attr}. */
    public static void write(String verb, long at, AhAttr attr) {
        GlobalRoute grh = attr.grh();
        long route = at + AhAttrLayout.GRH;
        writeGid(route + GlobalRouteLayout.DGID, grh.dgid());
        NativeMemory.putInt(route + GlobalRouteLayout.FLOW_LABEL, narrow(verb, "flow label", grh.flowLabel(), 0xfffff));
        putByte(verb, route + GlobalRouteLayout.SGID_INDEX, "GID index", grh.sgidIndex());
        putByte(verb, route + GlobalRouteLayout.HOP_LIMIT, "hop limit", grh.hopLimit());
        putByte(verb, route + GlobalRouteLayout.TRAFFIC_CLASS, "traffic class", grh.trafficClass());
        NativeMemory.putShort(at + AhAttrLayout.DLID, narrow(verb, "dlid", attr.dlid(), 0xffff));
        putByte(verb, at + AhAttrLayout.SL, "sl", attr.sl());
        putByte(verb, at + AhAttrLayout.SRC_PATH_BITS, "source path bits", attr.srcPathBits());
        putByte(verb, at + AhAttrLayout.STATIC_RATE, "static rate", attr.staticRate());
        NativeMemory.putByte(at + AhAttrLayout.IS_GLOBAL, attr.isGlobal() ? 1 : 0);
        putByte(verb, at + AhAttrLayout.PORT_NUM, "port", attr.portNum());
    }

    static void putByte(String verb, long at, String name, int value) {
        NativeMemory.putByte(at, narrow(verb, name, value, 0xff));
    }

    /** Reads a {@code struct ibv_ah_attr}. */
    public static AhAttr read(long at) {
        long route = at + AhAttrLayout.GRH;
        return new AhAttr()
                .grh(new GlobalRoute()
                        .dgid(readGid(route + GlobalRouteLayout.DGID))
                        .flowLabel(NativeMemory.getInt(route + GlobalRouteLayout.FLOW_LABEL))
                        .sgidIndex(NativeMemory.getByte(route + GlobalRouteLayout.SGID_INDEX))
                        .hopLimit(NativeMemory.getByte(route + GlobalRouteLayout.HOP_LIMIT))
                        .trafficClass(NativeMemory.getByte(route + GlobalRouteLayout.TRAFFIC_CLASS)))
                .dlid(NativeMemory.getShort(at + AhAttrLayout.DLID))
                .sl(NativeMemory.getByte(at + AhAttrLayout.SL))
                .srcPathBits(NativeMemory.getByte(at + AhAttrLayout.SRC_PATH_BITS))
                .staticRate(NativeMemory.getByte(at + AhAttrLayout.STATIC_RATE))
                .isGlobal(NativeMemory.getByte(at + AhAttrLayout.IS_GLOBAL) != 0)
                .portNum(NativeMemory.getByte(at + AhAttrLayout.PORT_NUM));
    }

    /** Writes a GID, 16 bytes in network order. */
    public static void writeGid(long at, Gid gid) {
        NativeMemory.putNetLong(at, gid.subnetPrefix());
        NativeMemory.putNetLong(at + Long.BYTES, gid.interfaceId());
    }

    /** Reads a GID, 16 bytes in network order. */
    public static Gid readGid(long at) {
        return Gid.of(NativeMemory.getNetLong(at), NativeMemory.getNetLong(at + Long.BYTES));
    }
}
