/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.marshal;

import io.verbs4j.DeviceAttr;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.layout.DeviceAttrLayout;

/** Converts device attributes. */
public final class DeviceAttrs {
    private static final int FW_VER_SIZE = 64;

    private DeviceAttrs() {}

    /** Reads a {@code struct ibv_device_attr}. */
    public static void read(long at, DeviceAttr attr) {
        attr.fwVer(NativeMemory.getString(at + DeviceAttrLayout.FW_VER, FW_VER_SIZE))
                .nodeGuid(NativeMemory.getNetLong(at + DeviceAttrLayout.NODE_GUID))
                .sysImageGuid(NativeMemory.getNetLong(at + DeviceAttrLayout.SYS_IMAGE_GUID))
                .maxMrSize(NativeMemory.getLong(at + DeviceAttrLayout.MAX_MR_SIZE))
                .pageSizeCap(NativeMemory.getLong(at + DeviceAttrLayout.PAGE_SIZE_CAP))
                .vendorId(NativeMemory.getInt(at + DeviceAttrLayout.VENDOR_ID))
                .vendorPartId(NativeMemory.getInt(at + DeviceAttrLayout.VENDOR_PART_ID))
                .hwVer(NativeMemory.getInt(at + DeviceAttrLayout.HW_VER))
                .maxQp(NativeMemory.getInt(at + DeviceAttrLayout.MAX_QP))
                .maxQpWr(NativeMemory.getInt(at + DeviceAttrLayout.MAX_QP_WR))
                .deviceCapFlags(NativeMemory.getInt(at + DeviceAttrLayout.DEVICE_CAP_FLAGS))
                .maxSge(NativeMemory.getInt(at + DeviceAttrLayout.MAX_SGE))
                .maxSgeRd(NativeMemory.getInt(at + DeviceAttrLayout.MAX_SGE_RD))
                .maxCq(NativeMemory.getInt(at + DeviceAttrLayout.MAX_CQ))
                .maxCqe(NativeMemory.getInt(at + DeviceAttrLayout.MAX_CQE))
                .maxMr(NativeMemory.getInt(at + DeviceAttrLayout.MAX_MR))
                .maxPd(NativeMemory.getInt(at + DeviceAttrLayout.MAX_PD))
                .maxQpRdAtom(NativeMemory.getInt(at + DeviceAttrLayout.MAX_QP_RD_ATOM))
                .maxEeRdAtom(NativeMemory.getInt(at + DeviceAttrLayout.MAX_EE_RD_ATOM))
                .maxResRdAtom(NativeMemory.getInt(at + DeviceAttrLayout.MAX_RES_RD_ATOM))
                .maxQpInitRdAtom(NativeMemory.getInt(at + DeviceAttrLayout.MAX_QP_INIT_RD_ATOM))
                .maxEeInitRdAtom(NativeMemory.getInt(at + DeviceAttrLayout.MAX_EE_INIT_RD_ATOM))
                .atomicCap(NativeMemory.getInt(at + DeviceAttrLayout.ATOMIC_CAP))
                .maxEe(NativeMemory.getInt(at + DeviceAttrLayout.MAX_EE))
                .maxRdd(NativeMemory.getInt(at + DeviceAttrLayout.MAX_RDD))
                .maxMw(NativeMemory.getInt(at + DeviceAttrLayout.MAX_MW))
                .maxRawIpv6Qp(NativeMemory.getInt(at + DeviceAttrLayout.MAX_RAW_IPV6_QP))
                .maxRawEthyQp(NativeMemory.getInt(at + DeviceAttrLayout.MAX_RAW_ETHY_QP))
                .maxMcastGrp(NativeMemory.getInt(at + DeviceAttrLayout.MAX_MCAST_GRP))
                .maxMcastQpAttach(NativeMemory.getInt(at + DeviceAttrLayout.MAX_MCAST_QP_ATTACH))
                .maxTotalMcastQpAttach(NativeMemory.getInt(at + DeviceAttrLayout.MAX_TOTAL_MCAST_QP_ATTACH))
                .maxAh(NativeMemory.getInt(at + DeviceAttrLayout.MAX_AH))
                .maxFmr(NativeMemory.getInt(at + DeviceAttrLayout.MAX_FMR))
                .maxMapPerFmr(NativeMemory.getInt(at + DeviceAttrLayout.MAX_MAP_PER_FMR))
                .maxSrq(NativeMemory.getInt(at + DeviceAttrLayout.MAX_SRQ))
                .maxSrqWr(NativeMemory.getInt(at + DeviceAttrLayout.MAX_SRQ_WR))
                .maxSrqSge(NativeMemory.getInt(at + DeviceAttrLayout.MAX_SRQ_SGE))
                .maxPkeys(NativeMemory.getShort(at + DeviceAttrLayout.MAX_PKEYS))
                .localCaAckDelay(NativeMemory.getByte(at + DeviceAttrLayout.LOCAL_CA_ACK_DELAY))
                .physPortCnt(NativeMemory.getByte(at + DeviceAttrLayout.PHYS_PORT_CNT));
    }
}
