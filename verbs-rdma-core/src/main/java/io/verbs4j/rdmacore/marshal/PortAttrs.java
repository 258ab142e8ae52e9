/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.marshal;

import io.verbs4j.PortAttr;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.layout.PortAttrLayout;

/** Converts port attributes. */
public final class PortAttrs {
    private PortAttrs() {}

    /** Reads a {@code struct ibv_port_attr}. */
    public static void read(long at, PortAttr attr) {
        attr.state(NativeMemory.getInt(at + PortAttrLayout.STATE))
                .maxMtu(NativeMemory.getInt(at + PortAttrLayout.MAX_MTU))
                .activeMtu(NativeMemory.getInt(at + PortAttrLayout.ACTIVE_MTU))
                .gidTblLen(NativeMemory.getInt(at + PortAttrLayout.GID_TBL_LEN))
                .portCapFlags(NativeMemory.getInt(at + PortAttrLayout.PORT_CAP_FLAGS))
                .maxMsgSz(Integer.toUnsignedLong(NativeMemory.getInt(at + PortAttrLayout.MAX_MSG_SZ)))
                .badPkeyCntr(NativeMemory.getInt(at + PortAttrLayout.BAD_PKEY_CNTR))
                .qkeyViolCntr(NativeMemory.getInt(at + PortAttrLayout.QKEY_VIOL_CNTR))
                .pkeyTblLen(NativeMemory.getShort(at + PortAttrLayout.PKEY_TBL_LEN))
                .lid(NativeMemory.getShort(at + PortAttrLayout.LID))
                .smLid(NativeMemory.getShort(at + PortAttrLayout.SM_LID))
                .lmc(NativeMemory.getByte(at + PortAttrLayout.LMC))
                .maxVlNum(NativeMemory.getByte(at + PortAttrLayout.MAX_VL_NUM))
                .smSl(NativeMemory.getByte(at + PortAttrLayout.SM_SL))
                .subnetTimeout(NativeMemory.getByte(at + PortAttrLayout.SUBNET_TIMEOUT))
                .initTypeReply(NativeMemory.getByte(at + PortAttrLayout.INIT_TYPE_REPLY))
                .activeWidth(NativeMemory.getByte(at + PortAttrLayout.ACTIVE_WIDTH))
                .activeSpeed(NativeMemory.getByte(at + PortAttrLayout.ACTIVE_SPEED))
                .physState(NativeMemory.getByte(at + PortAttrLayout.PHYS_STATE))
                .linkLayer(NativeMemory.getByte(at + PortAttrLayout.LINK_LAYER));
    }
}
