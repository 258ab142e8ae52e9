/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.dv;

import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.provider.mlx5.layout.DvAhLayout;
import io.verbs4j.provider.mlx5.layout.DvCqLayout;
import io.verbs4j.provider.mlx5.layout.DvObjLayout;
import io.verbs4j.provider.mlx5.layout.DvPdLayout;
import io.verbs4j.provider.mlx5.layout.DvQpLayout;
import io.verbs4j.provider.mlx5.layout.DvRwqLayout;
import io.verbs4j.provider.mlx5.layout.DvSrqLayout;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.quirk.Libmlx5;
import java.util.function.LongFunction;

/** The rings of objects, as {@code mlx5dv_init_obj} reports them. Source: mlx5dv_init_obj(3). */
public final class DvObjects {
    private static final int QP = 1;
    private static final int CQ = 1 << 1;
    private static final int SRQ = 1 << 2;
    private static final int RWQ = 1 << 3;
    private static final int AH = 1 << 5;
    private static final int PD = 1 << 6;

    private DvObjects() {}

    /** A separate class, so that the library is looked up at the first use. */
    private static final class Init {
        static final NativeFunction OBJ = Libmlx5.function("mlx5dv_init_obj", 13);
    }

    /** The rings of a queue pair. */
    public record Qp(
            long dbrec,
            long sqBuf,
            int sqCount,
            int sqStride,
            long rqBuf,
            int rqCount,
            int rqStride,
            long bfReg,
            int bfSize) {

        /** Returns a copy with another register. */
        Qp withRegister(long register, int size) {
            return new Qp(dbrec, sqBuf, sqCount, sqStride, rqBuf, rqCount, rqStride, register, size);
        }
    }

    /** The ring of a completion queue, which libmlx5 no longer polls. */
    public record Cq(long buf, long dbrec, int count, int size, long uar, int number) {}

    /** The ring of a shared receive queue: the elements from {@code head} to {@code tail} are free. */
    public record Srq(long buf, long dbrec, int stride, int head, int tail) {}

    /** The ring of a work queue. */
    public record Wq(long buf, long dbrec, int count, int stride) {}

    /** Queries a {@code struct ibv_qp}. */
    public static Qp qp(long qp) {
        try (Scratch c = ask(DvObjLayout.QP_IN, DvObjLayout.QP_OUT, qp, DvQpLayout.SIZEOF, QP)) {
            long at = c.address() + DvObjLayout.SIZEOF;
            return new Qp(
                    NativeMemory.getLong(at + DvQpLayout.DBREC),
                    NativeMemory.getLong(at + DvQpLayout.SQ_BUF),
                    NativeMemory.getInt(at + DvQpLayout.SQ_WQE_CNT),
                    NativeMemory.getInt(at + DvQpLayout.SQ_STRIDE),
                    NativeMemory.getLong(at + DvQpLayout.RQ_BUF),
                    NativeMemory.getInt(at + DvQpLayout.RQ_WQE_CNT),
                    NativeMemory.getInt(at + DvQpLayout.RQ_STRIDE),
                    NativeMemory.getLong(at + DvQpLayout.BF_REG),
                    NativeMemory.getInt(at + DvQpLayout.BF_SIZE));
        }
    }

    /** Queries a {@code struct ibv_cq}, and takes over its polling. */
    public static Cq cq(long cq) {
        try (Scratch c = ask(DvObjLayout.CQ_IN, DvObjLayout.CQ_OUT, cq, DvCqLayout.SIZEOF, CQ)) {
            long at = c.address() + DvObjLayout.SIZEOF;
            return new Cq(
                    NativeMemory.getLong(at + DvCqLayout.BUF),
                    NativeMemory.getLong(at + DvCqLayout.DBREC),
                    NativeMemory.getInt(at + DvCqLayout.CQE_CNT),
                    NativeMemory.getInt(at + DvCqLayout.CQE_SIZE),
                    NativeMemory.getLong(at + DvCqLayout.CQ_UAR),
                    NativeMemory.getInt(at + DvCqLayout.CQN));
        }
    }

    /** Queries a {@code struct ibv_srq}. */
    public static Srq srq(long srq) {
        try (Scratch c = ask(DvObjLayout.SRQ_IN, DvObjLayout.SRQ_OUT, srq, DvSrqLayout.SIZEOF, SRQ)) {
            long at = c.address() + DvObjLayout.SIZEOF;
            return new Srq(
                    NativeMemory.getLong(at + DvSrqLayout.BUF),
                    NativeMemory.getLong(at + DvSrqLayout.DBREC),
                    NativeMemory.getInt(at + DvSrqLayout.STRIDE),
                    NativeMemory.getInt(at + DvSrqLayout.HEAD),
                    NativeMemory.getInt(at + DvSrqLayout.TAIL));
        }
    }

    /** Queries a {@code struct ibv_wq}. */
    public static Wq wq(long wq) {
        try (Scratch c = ask(DvObjLayout.RWQ_IN, DvObjLayout.RWQ_OUT, wq, DvRwqLayout.SIZEOF, RWQ)) {
            long at = c.address() + DvObjLayout.SIZEOF;
            return new Wq(
                    NativeMemory.getLong(at + DvRwqLayout.BUF),
                    NativeMemory.getLong(at + DvRwqLayout.DBREC),
                    NativeMemory.getInt(at + DvRwqLayout.WQE_CNT),
                    NativeMemory.getInt(at + DvRwqLayout.STRIDE));
        }
    }

    /** Returns the address vector of a {@code struct ibv_ah}: 48 bytes as in a work queue element. */
    public static long av(long ah) {
        try (Scratch c = ask(DvObjLayout.AH_IN, DvObjLayout.AH_OUT, ah, DvAhLayout.SIZEOF, AH)) {
            return NativeMemory.getLong(c.address() + DvObjLayout.SIZEOF + DvAhLayout.AV);
        }
    }

    /** Returns the number of a {@code struct ibv_pd}. */
    public static int pdn(long pd) {
        try (Scratch c = ask(DvObjLayout.PD_IN, DvObjLayout.PD_OUT, pd, DvPdLayout.SIZEOF, PD)) {
            return NativeMemory.getInt(c.address() + DvObjLayout.SIZEOF + DvPdLayout.PDN);
        }
    }

    /**
     * Queries a {@code struct ibv_qp} and reads the resulting {@code struct mlx5dv_qp}, with the available members of a
     * mask.
     */
    public static <T> T qp(long qp, long mask, LongFunction<T> read) {
        return answer(
                DvObjLayout.QP_IN, DvObjLayout.QP_OUT, qp, DvQpLayout.SIZEOF, QP, DvQpLayout.COMP_MASK, mask, read);
    }

    /**
     * Queries a {@code struct ibv_srq} and reads the resulting {@code struct mlx5dv_srq}, with the available members of
     * a mask.
     */
    public static <T> T srq(long srq, long mask, LongFunction<T> read) {
        return answer(
                DvObjLayout.SRQ_IN,
                DvObjLayout.SRQ_OUT,
                srq,
                DvSrqLayout.SIZEOF,
                SRQ,
                DvSrqLayout.COMP_MASK,
                mask,
                read);
    }

    private static <T> T answer(
            int in, int out, long object, int size, int type, int maskAt, long mask, LongFunction<T> read) {
        try (Scratch c = ask(in, out, object, size, type, maskAt, mask)) {
            return read.apply(c.address() + DvObjLayout.SIZEOF);
        }
    }

    private static Scratch ask(int in, int out, long object, int size, int type) {
        return ask(in, out, object, size, type, 0, 0);
    }

    private static Scratch ask(int in, int out, long object, int size, int type, int maskAt, long mask) {
        Scratch c = new Scratch(DvObjLayout.SIZEOF + size);
        if (mask != 0) {
            NativeMemory.putLong(c.address() + DvObjLayout.SIZEOF + maskAt, mask);
        }
        NativeMemory.putLong(c.address() + in, object);
        NativeMemory.putLong(c.address() + out, c.address() + DvObjLayout.SIZEOF);
        try {
            Answers.check("mlx5dv_init_obj", Init.OBJ.call(c.address(), type));
            return c;
        } catch (RuntimeException e) {
            c.close();
            throw e;
        }
    }
}
