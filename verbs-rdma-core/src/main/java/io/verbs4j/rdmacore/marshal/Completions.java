/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.marshal;

import io.verbs4j.WorkCompletion;
import io.verbs4j.rdmacore.layout.WcLayout;
import io.verbs4j.rdmacore.memory.NativeMemory;

/** Work completions. */
public final class Completions {
    private Completions() {}

    /** Reads a {@code struct ibv_wc}. */
    public static void read(long at, WorkCompletion wc) {
        wc.wrId(NativeMemory.getLong(at + WcLayout.WR_ID))
                .status(NativeMemory.getInt(at + WcLayout.STATUS))
                .opcode(NativeMemory.getInt(at + WcLayout.OPCODE))
                .vendorErr(NativeMemory.getInt(at + WcLayout.VENDOR_ERR))
                .byteLen(NativeMemory.getInt(at + WcLayout.BYTE_LEN))
                .immData(NativeMemory.getNetInt(at + WcLayout.IMM_DATA))
                .qpNum(NativeMemory.getInt(at + WcLayout.QP_NUM))
                .srcQp(NativeMemory.getInt(at + WcLayout.SRC_QP))
                .wcFlags(NativeMemory.getInt(at + WcLayout.WC_FLAGS))
                .pkeyIndex(NativeMemory.getShort(at + WcLayout.PKEY_INDEX))
                .slid(NativeMemory.getShort(at + WcLayout.SLID))
                .sl(NativeMemory.getByte(at + WcLayout.SL))
                .dlidPathBits(NativeMemory.getByte(at + WcLayout.DLID_PATH_BITS));
    }
}
