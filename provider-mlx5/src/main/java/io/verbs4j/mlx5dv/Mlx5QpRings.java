/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.mlx5.layout.DvQpLayout;

/** Where the rings of a queue pair are. Immutable. Source: mlx5dv_init_obj(3), {@code struct mlx5dv_qp}. */
public final class Mlx5QpRings {
    /** What the struct has members for. */
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

    /** Both rings have the same three members. */
    private static Mlx5Ring ring(long at) {
        return new Mlx5Ring(
                NativeMemory.getLong(at),
                NativeMemory.getInt(at + DvQpLayout.SQ_WQE_CNT - DvQpLayout.SQ_BUF),
                NativeMemory.getInt(at + DvQpLayout.SQ_STRIDE - DvQpLayout.SQ_BUF));
    }

    /**
     * The address of the doorbell records: receives posted, then blocks of the send queue posted, 4 bytes each in network order.
     *
     * @return the address
     */
    public long dbrec() {
        return dbrec;
    }

    /**
     * The send queue.
     *
     * @return its ring
     */
    public Mlx5Ring sq() {
        return sq;
    }

    /**
     * The receive queue.
     *
     * @return its ring
     */
    public Mlx5Ring rq() {
        return rq;
    }

    /**
     * The address of the doorbell register.
     *
     * @return the address; writable, not readable
     */
    public long bfReg() {
        return bfReg;
    }

    /**
     * The size of each of the register's halves, which are rung in turn.
     *
     * @return in bytes; 0 where there is one half only, without BlueFlame
     */
    public int bfSize() {
        return bfSize;
    }

    /**
     * Whether something that was asked for was answered; what was not reads as 0.
     *
     * @param bits of {@link Mlx5QpMask}
     * @return true if all of them were
     */
    public boolean has(long bits) {
        return answered.has(bits);
    }

    /**
     * Where the register page lies in the device file.
     *
     * @return the offset, for mmap(2); 0 without {@link Mlx5QpMask#UAR_MMAP_OFFSET}
     */
    public long uarMmapOffset() {
        return uarMmapOffset;
    }

    /**
     * The number of the transport interface that receives.
     *
     * @return the number; of a raw packet queue pair only; 0 without {@link Mlx5QpMask#RAW_QP_HANDLES}
     */
    public int tirn() {
        return tirn;
    }

    /**
     * The number of the transport interface that sends.
     *
     * @return the number; of a raw packet queue pair only; 0 without {@link Mlx5QpMask#RAW_QP_HANDLES}
     */
    public int tisn() {
        return tisn;
    }

    /**
     * The number of the receive queue.
     *
     * @return the number; of a raw packet queue pair only; 0 without {@link Mlx5QpMask#RAW_QP_HANDLES}
     */
    public int rqn() {
        return rqn;
    }

    /**
     * The number of the send queue.
     *
     * @return the number; of a raw packet queue pair only; 0 without {@link Mlx5QpMask#RAW_QP_HANDLES}
     */
    public int sqn() {
        return sqn;
    }

    /**
     * The address of the transport interface that receives, in the device's memory.
     *
     * @return the address; of a raw packet queue pair only; 0 without {@link Mlx5QpMask#RAW_QP_TIR_ADDR}
     */
    public long tirIcmAddress() {
        return tirIcmAddress;
    }
}
