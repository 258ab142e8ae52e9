/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.marshal;

import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WorkCompletion;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.layout.WcLayout;

/** Converts work completions. */
public final class Completions {
    private Completions() {}

    /** The kernel's value of {@link WcFlags#WITH_INV}; for programs the same bit means that a checksum is right. */
    private static final int KERNELS_WITH_INV = 1 << 2;

    /** {@code IBV_WC_DRIVER1}, the first vendor-specific opcode. */
    private static final int DRIVER1 = 135;

    /** Reads a {@code struct ibv_wc}. */
    public static void read(long at, WorkCompletion wc) {
        read(at, wc, false);
    }

    /**
     * Reads a {@code struct ibv_wc}.
     *
     * @param kernelsFlag whether the driver passes on the kernel's flag for an invalidated key
     */
    public static void read(long at, WorkCompletion wc, boolean kernelsFlag) {
        int flags = NativeMemory.getInt(at + WcLayout.WC_FLAGS);
        if (kernelsFlag && (flags & KERNELS_WITH_INV) != 0 && isReceive(at)) {
            flags = flags & ~KERNELS_WITH_INV | WcFlags.WITH_INV;
        }
        wc.wrId(NativeMemory.getLong(at + WcLayout.WR_ID))
                .status(NativeMemory.getInt(at + WcLayout.STATUS))
                .opcode(NativeMemory.getInt(at + WcLayout.OPCODE))
                .vendorErr(NativeMemory.getInt(at + WcLayout.VENDOR_ERR))
                .byteLen(NativeMemory.getInt(at + WcLayout.BYTE_LEN))
                .immData(word(NativeMemory.getInt(at + WcLayout.IMM_DATA), flags))
                .qpNum(NativeMemory.getInt(at + WcLayout.QP_NUM))
                .srcQp(NativeMemory.getInt(at + WcLayout.SRC_QP))
                .wcFlags(flags)
                .pkeyIndex(NativeMemory.getShort(at + WcLayout.PKEY_INDEX))
                .slid(NativeMemory.getShort(at + WcLayout.SLID))
                .sl(NativeMemory.getByte(at + WcLayout.SL))
                .dlidPathBits(NativeMemory.getByte(at + WcLayout.DLID_PATH_BITS));
    }

    private static boolean isReceive(long at) {
        return isReceive(NativeMemory.getInt(at + WcLayout.OPCODE));
    }

    /** {@return whether an opcode is that of a receive; vendor-specific send opcodes have the bit as well} */
    public static boolean isReceive(int opcode) {
        return (opcode & WcOpcode.RECV) != 0 && opcode < DRIVER1;
    }

    /** Converts the word that holds immediate data, in network order, or an invalidated key, in native order. */
    public static int word(int fromC, int wcFlags) {
        return (wcFlags & WcFlags.WITH_INV) != 0 ? fromC : NativeMemory.fromNetwork(fromC);
    }

    /** Copies the fields of level 1. */
    public static void copy(WorkCompletion from, WorkCompletion to) {
        to.wrId(from.wrId())
                .status(from.status())
                .opcode(from.opcode())
                .vendorErr(from.vendorErr())
                .byteLen(from.byteLen())
                .immData(from.immData())
                .qpNum(from.qpNum())
                .srcQp(from.srcQp())
                .wcFlags(from.wcFlags())
                .pkeyIndex(from.pkeyIndex())
                .slid(from.slid())
                .sl(from.sl())
                .dlidPathBits(from.dlidPathBits());
    }
}
