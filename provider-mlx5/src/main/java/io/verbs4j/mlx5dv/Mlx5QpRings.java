/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.mlx5.layout.DvQpLayout;

/** The memory of a queue pair's rings. Immutable. Source: mlx5dv_init_obj(3), {@code struct mlx5dv_qp}. */
public final class Mlx5QpRings {
    /** The attributes that the struct has members for. */
    static final long KNOWN = Mlx5QpMask.UAR_MMAP_OFFSET | Mlx5QpMask.RAW_QP_HANDLES | Mlx5QpMask.RAW_QP_TIR_ADDR;

    private final long dbrec;
    private final Mlx5Ring sq;
    private final Mlx5Ring rq;
    private final long bfReg;
    private final int bfSize;
    private final long uarMmapOffset;
    private final int tirn;
    private final int tisn;
    private final int rqn;
    private final int sqn;
    private final long tirIcmAddress;
    private final Answered answered;

    Mlx5QpRings(long at) {
        answered = new Answered(NativeMemory.getLong(at + DvQpLayout.COMP_MASK));
        dbrec = NativeMemory.getLong(at + DvQpLayout.DBREC);
        sq = ring(at + DvQpLayout.SQ_BUF);
        rq = ring(at + DvQpLayout.RQ_BUF);
        bfReg = NativeMemory.getLong(at + DvQpLayout.BF_REG);
        bfSize = NativeMemory.getInt(at + DvQpLayout.BF_SIZE);
        uarMmapOffset =
                answered.has(Mlx5QpMask.UAR_MMAP_OFFSET) ? NativeMemory.getLong(at + DvQpLayout.UAR_MMAP_OFFSET) : 0;
        tirn = answered.has(Mlx5QpMask.RAW_QP_HANDLES) ? NativeMemory.getInt(at + DvQpLayout.TIRN) : 0;
        tisn = answered.has(Mlx5QpMask.RAW_QP_HANDLES) ? NativeMemory.getInt(at + DvQpLayout.TISN) : 0;
        rqn = answered.has(Mlx5QpMask.RAW_QP_HANDLES) ? NativeMemory.getInt(at + DvQpLayout.RQN) : 0;
        sqn = answered.has(Mlx5QpMask.RAW_QP_HANDLES) ? NativeMemory.getInt(at + DvQpLayout.SQN) : 0;
        tirIcmAddress =
                answered.has(Mlx5QpMask.RAW_QP_TIR_ADDR) ? NativeMemory.getLong(at + DvQpLayout.TIR_ICM_ADDR) : 0;
    }

    /** Reads a ring; both rings have the same three members. */
    private static Mlx5Ring ring(long at) {
        return new Mlx5Ring(
                NativeMemory.getLong(at),
                NativeMemory.getInt(at + DvQpLayout.SQ_WQE_CNT - DvQpLayout.SQ_BUF),
                NativeMemory.getInt(at + DvQpLayout.SQ_STRIDE - DvQpLayout.SQ_BUF));
    }

    /**
     * Returns the address of the doorbell records: the number of receives posted, then the number of send queue blocks
     * posted; 4 bytes each, in network order.
     *
     * @return the address
     */
    public long dbrec() {
        return dbrec;
    }

    /** {@return the send queue} */
    public Mlx5Ring sq() {
        return sq;
    }

    /** {@return the receive queue} */
    public Mlx5Ring rq() {
        return rq;
    }

    /** {@return the address of the doorbell register, which is writable but not readable} */
    public long bfReg() {
        return bfReg;
    }

    /**
     * Returns the size of each half of the doorbell register; the halves are used in turn.
     *
     * @return number of bytes; 0 if there is only one half, without BlueFlame
     */
    public int bfSize() {
        return bfSize;
    }

    /**
     * Returns whether attributes were filled in; those that were not read as 0.
     *
     * @param bits bits of {@link Mlx5QpMask}
     * @return true if all of them were
     */
    public boolean has(long bits) {
        return answered.has(bits);
    }

    /**
     * Returns the offset of the register page in the device file.
     *
     * @return the offset, for mmap(2); 0 without {@link Mlx5QpMask#UAR_MMAP_OFFSET}
     */
    public long uarMmapOffset() {
        return uarMmapOffset;
    }

    /**
     * Returns the number of the receiving transport interface of a raw packet queue pair.
     *
     * @return the number; 0 without {@link Mlx5QpMask#RAW_QP_HANDLES}
     */
    public int tirn() {
        return tirn;
    }

    /**
     * Returns the number of the sending transport interface of a raw packet queue pair.
     *
     * @return the number; 0 without {@link Mlx5QpMask#RAW_QP_HANDLES}
     */
    public int tisn() {
        return tisn;
    }

    /**
     * Returns the number of the receive queue of a raw packet queue pair.
     *
     * @return the number; 0 without {@link Mlx5QpMask#RAW_QP_HANDLES}
     */
    public int rqn() {
        return rqn;
    }

    /**
     * Returns the number of the send queue of a raw packet queue pair.
     *
     * @return the number; 0 without {@link Mlx5QpMask#RAW_QP_HANDLES}
     */
    public int sqn() {
        return sqn;
    }

    /**
     * Returns the address of the receiving transport interface of a raw packet queue pair, in the device's memory.
     *
     * @return the address; 0 without {@link Mlx5QpMask#RAW_QP_TIR_ADDR}
     */
    public long tirIcmAddress() {
        return tirIcmAddress;
    }
}
