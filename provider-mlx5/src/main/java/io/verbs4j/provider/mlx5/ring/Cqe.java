/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.WcFlags;
import io.verbs4j.WcStatus;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.mlx5.layout.CqeLayout;

/**
 * Constants and fields of a completion, whose layout is that of {@link CqeLayout}; in larger entries, it is at the end
 * of the entry.
 */
final class Cqe {
    static final int SIZE = CqeLayout.SIZEOF;

    static final int REQUESTER = 0;
    static final int RECEIVED_WRITE_IMM = 1;
    static final int RECEIVED_SEND_IMM = 3;
    static final int RECEIVED_SEND_INV = 4;
    /** Announces that the device has moved to other memory; the last completion in the old memory. */
    static final int MOVED = 5;

    static final int REQUESTER_ERROR = 13;
    static final int RESPONDER_ERROR = 14;
    static final int INVALID = 15;

    /**
     * Bits of {@link CqeLayout#OP_OWN}: the data are in the first 32 bytes of the completion, or in the 64 bytes before
     * it.
     */
    static final int SCATTER_32 = 4;

    static final int SCATTER_64 = 8;
    static final int COMPRESSED = SCATTER_32 | SCATTER_64;
    static final int OWNER_BIT = 1;
    static final int NUMBER = 0xffffff;

    /** Bits of {@link CqeLayout#HDS_IP_EXT}: the checksums of layers 3 and 4 are correct. */
    private static final int CHECKSUMS_GOOD = 1 << 1 | 1 << 2;

    private static final int IPV4 = 2;

    private Cqe() {}

    /**
     * Returns the {@link WcFlags} of a receive. If the first bytes of the completion contain the data of a small
     * message, they replace the path: such a completion has no GRH, and its source and service level are 0. Devices do
     * this only for connected queue pairs, whose path is known. libmlx5 returns bytes of the message there.
     */
    static int receiveFlags(long cqe, int owner, int kind) {
        int what = kind == RECEIVED_WRITE_IMM || kind == RECEIVED_SEND_IMM
                ? WcFlags.WITH_IMM
                : kind == RECEIVED_SEND_INV ? WcFlags.WITH_INV : 0;
        return ((flagsAndSource(cqe, owner) >>> 28 & 3) != 0 ? WcFlags.GRH : 0) | what;
    }

    /**
     * Returns {@link WcFlags#IP_CSUM_OK} for an IPv4 frame if the device found the checksums of both layers correct,
     * otherwise 0.
     */
    static int checksumFlags(long cqe) {
        int good = NativeMemory.getByte(cqe + CqeLayout.HDS_IP_EXT) & CHECKSUMS_GOOD;
        int type = NativeMemory.getByte(cqe + CqeLayout.L4_HDR_TYPE_ETC) >>> 2 & 3;
        return good == CHECKSUMS_GOOD && type == IPV4 ? WcFlags.IP_CSUM_OK : 0;
    }

    /** Returns the VLAN tag that was removed from a frame. */
    static int vlan(long cqe) {
        return NativeMemory.getNetShort(cqe + CqeLayout.VLAN_INFO);
    }

    /** Returns the tag that a flow rule assigned to a frame. */
    static int flowTag(long cqe) {
        return NativeMemory.getNetInt(cqe + CqeLayout.SOP_DROP_QPN) & NUMBER;
    }

    static int slid(long cqe, int owner) {
        return hasPath(owner) ? NativeMemory.getNetShort(cqe + CqeLayout.SLID) : 0;
    }

    static int sl(long cqe, int owner) {
        return flagsAndSource(cqe, owner) >>> 24 & 0xf;
    }

    static int srcQp(long cqe, int owner) {
        return flagsAndSource(cqe, owner) & NUMBER;
    }

    static int dlidPathBits(long cqe, int owner) {
        return hasPath(owner) ? NativeMemory.getByte(cqe + CqeLayout.ML_PATH) & 0x7f : 0;
    }

    private static int flagsAndSource(long cqe, int owner) {
        return hasPath(owner) ? NativeMemory.getNetInt(cqe + CqeLayout.FLAGS_RQPN) : 0;
    }

    private static boolean hasPath(int owner) {
        return (owner & SCATTER_32) == 0;
    }

    static int status(int syndrome) {
        return switch (syndrome) {
            case 0x01 -> WcStatus.LOC_LEN_ERR;
            case 0x02 -> WcStatus.LOC_QP_OP_ERR;
            case 0x04 -> WcStatus.LOC_PROT_ERR;
            case 0x05 -> WcStatus.WR_FLUSH_ERR;
            case 0x06 -> WcStatus.MW_BIND_ERR;
            case 0x10 -> WcStatus.BAD_RESP_ERR;
            case 0x11 -> WcStatus.LOC_ACCESS_ERR;
            case 0x12 -> WcStatus.REM_INV_REQ_ERR;
            case 0x13 -> WcStatus.REM_ACCESS_ERR;
            case 0x14 -> WcStatus.REM_OP_ERR;
            case 0x15 -> WcStatus.RETRY_EXC_ERR;
            case 0x16 -> WcStatus.RNR_RETRY_EXC_ERR;
            case 0x22 -> WcStatus.REM_ABORT_ERR;
            default -> WcStatus.GENERAL_ERR;
        };
    }
}
