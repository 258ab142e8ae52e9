/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.dv;

import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.natives.call.Libc;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.provider.mlx5.layout.DvDevxUarLayout;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.layout.ContextLayout;
import io.verbs4j.rdmacore.layout.CqLayout;
import io.verbs4j.rdmacore.layout.PdLayout;
import io.verbs4j.rdmacore.layout.QpLayout;
import io.verbs4j.rdmacore.layout.SrqLayout;
import io.verbs4j.rdmacore.object.IbvObject;
import io.verbs4j.rdmacore.quirk.Libmlx5;

/**
 * A libmlx5 queue pair whose kernel part was recreated with flags that libibverbs refuses and the kernel accepts.
 *
 * <p>The new queue pair has the same rings and doorbell records, and its own register page, because the page of the
 * original is not exposed. Then the original is destroyed, and {@code struct ibv_qp} names the new one, which libmlx5
 * modifies, queries and destroys as it would the original. Only Java posts to it.
 *
 * <p>Source: the kernel's rdma_user_ioctl_cmds.h, ib_user_verbs.h (CREATE_QP, extended) and mlx5-abi.h.
 */
public final class RemadeQp {
    private static final String VERB = "create_qp_ex";

    /** {@code RDMA_VERBS_IOCTL}. */
    private static final long REQUEST = 0xc0181b01L;

    /** {@code struct ib_uverbs_ioctl_hdr}: length(2) object(2) method(2) attributes(2) zero(8) driver(4) zero(4). */
    private static final int HEADER = 24;

    private static final int OBJECT = 2;
    private static final int METHOD = 4;
    private static final int COUNT = 6;
    private static final int DRIVER = 16;
    private static final int MLX5 = 1;

    /** {@code struct ib_uverbs_attr}: number(2) length(2) flags(2) zero(2) data(8). */
    private static final int ATTRIBUTE = 16;

    private static final int DATA = 8;
    private static final int MANDATORY = 1;

    private static final int DEVICE_OBJECT = 0;
    private static final int INVOKE_WRITE = 0;
    private static final int CORE_IN = 0;
    private static final int CORE_OUT = 1;
    private static final int COMMAND = 2;
    private static final int DRIVER_IN = 0x1000;
    private static final int DRIVER_OUT = 0x1001;
    private static final long EX_CREATE_QP = 0x8000_0000L | 24;

    private static final int QP_OBJECT = 4;
    private static final int DESTROY = 1;
    private static final int HANDLE = 0;
    private static final int ANSWER = 1;
    private static final int ANSWER_SIZE = 4;

    /**
     * {@code struct ib_uverbs_ex_create_qp}: user_handle(8) pd send_cq recv_cq srq, five capacities (4 each) sig_all
     * type is_srq zero (1 each) comp_mask flags ..
     */
    private static final int CREATE = 64;

    private static final int PD = 8;
    private static final int SEND_CQ = 12;
    private static final int RECV_CQ = 16;
    private static final int SRQ = 20;
    private static final int CAPACITIES = 24;
    private static final int SIG_ALL = 44;
    private static final int TYPE = 45;
    private static final int IS_SRQ = 46;
    private static final int FLAGS = 52;

    /** {@code struct ib_uverbs_ex_create_qp_resp}: handle(4) number(4) .. */
    private static final int CREATED = 40;

    private static final int NUMBER = 4;

    /** {@code struct mlx5_ib_create_qp}: buf(8) db(8) sq_count rq_count rq_shift flags uidx page (4 each) .. */
    private static final int OWN = 56;

    private static final int RECORD = 8;
    private static final int SENDS = 16;
    private static final int RECEIVES = 20;
    private static final int SHIFT = 24;
    private static final int OWN_FLAGS = 28;
    private static final int PAGE = 36;
    private static final int PAGE_IS_TOLD = 1 << 10;
    private static final int OWN_CREATED = 64;

    /** {@code MLX5DV_UAR_ALLOC_TYPE_NC}. */
    private static final int NOT_CACHED = 1;

    private final DvObjects.Qp rings;
    private final long page;

    private RemadeQp(DvObjects.Qp rings, long page) {
        this.rings = rings;
        this.page = page;
    }

    /**
     * Recreates a queue pair in RESET. On failure the original remains as it was.
     *
     * @param flags {@link io.verbs4j.QpCreateFlags} bits, whose values are the kernel's
     */
    public static RemadeQp of(long context, long qp, QpInitAttrEx attr, int flags) {
        DvObjects.Qp usual = DvObjects.qp(qp);
        long page = Answers.checkPointer(
                VERB, Libmlx5.function("mlx5dv_devx_alloc_uar", 21).call(context, NOT_CACHED));
        try {
            int fd = NativeMemory.getInt(context + ContextLayout.CMD_FD);
            remake(fd, qp, attr, flags, usual, NativeMemory.getInt(page + DvDevxUarLayout.PAGE_ID));
        } catch (RuntimeException e) {
            free(page);
            throw e;
        }
        long register = NativeMemory.getLong(page + DvDevxUarLayout.REG_ADDR);
        return new RemadeQp(usual.withRegister(register, 0), page);
    }

    /** Returns its rings, with its new register. */
    public DvObjects.Qp rings() {
        return rings;
    }

    /** Frees the register page, after the queue pair was destroyed. */
    public void free() {
        free(page);
    }

    private static void free(long page) {
        Libmlx5.function("mlx5dv_devx_free_uar", 21).call(page);
    }

    private static void remake(int fd, long qp, QpInitAttrEx attr, int flags, DvObjects.Qp rings, int page) {
        int attributes = HEADER + 5 * ATTRIBUTE;
        try (Scratch c = new Scratch(attributes + CREATE + CREATED + OWN + OWN_CREATED)) {
            long create = c.address() + attributes;
            long created = create + CREATE;
            long own = created + CREATED;
            write(create, qp, attr, flags);
            writeOwn(own, rings, page);
            begin(c.address(), DEVICE_OBJECT, INVOKE_WRITE, 5);
            put(c.address(), 0, CORE_IN, CREATE, create);
            put(c.address(), 1, CORE_OUT, CREATED, created);
            put(c.address(), 2, COMMAND, Long.BYTES, EX_CREATE_QP);
            put(c.address(), 3, DRIVER_IN, OWN, own);
            put(c.address(), 4, DRIVER_OUT, OWN_CREATED, own + OWN);
            Answers.check(VERB, Libc.ioctl(fd, REQUEST, c.address()));
            int first = NativeMemory.getInt(qp + QpLayout.HANDLE);
            NativeMemory.putInt(qp + QpLayout.HANDLE, NativeMemory.getInt(created));
            NativeMemory.putInt(qp + QpLayout.QP_NUM, NativeMemory.getInt(created + NUMBER));
            destroy(fd, first);
        }
    }

    private static void write(long at, long qp, QpInitAttrEx attr, int flags) {
        QpCap cap = attr.cap();
        NativeMemory.putLong(at, qp); // the handle in its events
        NativeMemory.putInt(at + PD, handle(IbvObject.addressOf(attr.pd()), PdLayout.HANDLE));
        NativeMemory.putInt(at + SEND_CQ, handle(IbvObject.addressOf(attr.sendCq()), CqLayout.HANDLE));
        NativeMemory.putInt(at + RECV_CQ, handle(IbvObject.addressOf(attr.recvCq()), CqLayout.HANDLE));
        NativeMemory.putInt(at + SRQ, handle(IbvObject.addressOf(attr.srq()), SrqLayout.HANDLE));
        NativeMemory.putInt(at + CAPACITIES, cap.maxSendWr());
        NativeMemory.putInt(at + CAPACITIES + 4, cap.maxRecvWr());
        NativeMemory.putInt(at + CAPACITIES + 8, cap.maxSendSge());
        NativeMemory.putInt(at + CAPACITIES + 12, cap.maxRecvSge());
        NativeMemory.putInt(at + CAPACITIES + 16, cap.maxInlineData());
        NativeMemory.putByte(at + SIG_ALL, attr.sqSigAll() ? 1 : 0);
        NativeMemory.putByte(at + TYPE, attr.qpType());
        NativeMemory.putByte(at + IS_SRQ, attr.srq() == null ? 0 : 1);
        NativeMemory.putInt(at + FLAGS, flags);
    }

    /** Writes the driver's part. Completions contain the queue pair's number; the user index stays 0. */
    private static void writeOwn(long at, DvObjects.Qp rings, int page) {
        boolean receives = rings.rqCount() != 0;
        NativeMemory.putLong(at, receives ? rings.rqBuf() : rings.sqBuf());
        NativeMemory.putLong(at + RECORD, rings.dbrec());
        NativeMemory.putInt(at + SENDS, rings.sqCount());
        NativeMemory.putInt(at + RECEIVES, rings.rqCount());
        NativeMemory.putInt(at + SHIFT, receives ? Integer.numberOfTrailingZeros(rings.rqStride()) : 0);
        NativeMemory.putInt(at + OWN_FLAGS, PAGE_IS_TOLD);
        NativeMemory.putInt(at + PAGE, page);
    }

    private static int handle(long object, int offset) {
        return object == 0 ? 0 : NativeMemory.getInt(object + offset);
    }

    /** Destroys a queue pair. The response counts events, of which there are none in RESET. */
    private static void destroy(int fd, int handle) {
        int attributes = HEADER + 2 * ATTRIBUTE;
        try (Scratch c = new Scratch(attributes + Long.BYTES)) {
            begin(c.address(), QP_OBJECT, DESTROY, 2);
            put(c.address(), 0, HANDLE, 0, handle);
            put(c.address(), 1, ANSWER, ANSWER_SIZE, c.address() + attributes);
            Answers.check(VERB, Libc.ioctl(fd, REQUEST, c.address()));
        }
    }

    private static void begin(long at, int object, int method, int count) {
        NativeMemory.putShort(at, HEADER + count * ATTRIBUTE);
        NativeMemory.putShort(at + OBJECT, object);
        NativeMemory.putShort(at + METHOD, method);
        NativeMemory.putShort(at + COUNT, count);
        NativeMemory.putInt(at + DRIVER, MLX5);
    }

    private static void put(long header, int index, int number, int length, long data) {
        long at = header + HEADER + (long) index * ATTRIBUTE;
        NativeMemory.putShort(at, number);
        NativeMemory.putShort(at + 2, length);
        NativeMemory.putShort(at + 4, MANDATORY);
        NativeMemory.putLong(at + DATA, data);
    }
}
