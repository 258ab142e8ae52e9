/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.call;

import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.layout.ContextLayout;
import io.verbs4j.rdmacore.layout.ExtendedContextLayout;

/**
 * The functions behind the pointers of an open {@code struct ibv_context}, which the inline functions of C's verbs.h
 * call.
 * <pre>
 *        sz - size ... -16   the slots of struct verbs_context, if the library is new enough to have them
 *        -8                  sz: how much of struct verbs_context the library has
 * ctx -> 0                   struct ibv_context: device, ops (the functions of the first release)
 *        320 (328 on arm64)  abi_compat: all bits set if the part above exists
 * </pre>
 *
 * <p>The addresses are read once for each context: they may differ between devices, even with the same library.
 */
public final class ContextFunctions {
    private static final boolean AARCH64 = "aarch64".equals(System.getProperty("os.arch"));

    /** {@code sizeof(struct ibv_context)}, which {@code sz} includes. */
    static final int CONTEXT_SIZE = AARCH64 ? ContextLayout.SIZEOF_AARCH64 : ContextLayout.SIZEOF;

    /** Offset of the marker. */
    static final int MARKER = AARCH64 ? ContextLayout.ABI_COMPAT_AARCH64 : ContextLayout.ABI_COMPAT;

    private static final long IS_EXTENDED = -1;

    private final long context;
    private final NativeFunction postSend;
    private final NativeFunction postRecv;
    private final NativeFunction postSrqRecv;
    private final NativeFunction pollCq;
    private final NativeFunction reqNotifyCq;

    /**
     * Reads the pointers of an open context.
     *
     * @param context the {@code struct ibv_context}
     */
    public ContextFunctions(long context) {
        this.context = context;
        this.postSend = data(ContextLayout.OPS_POST_SEND);
        this.postRecv = data(ContextLayout.OPS_POST_RECV);
        this.postSrqRecv = data(ContextLayout.OPS_POST_SRQ_RECV);
        this.pollCq = data(ContextLayout.OPS_POLL_CQ);
        this.reqNotifyCq = op(ContextLayout.OPS_REQ_NOTIFY_CQ);
    }

    /**
     * {@return {@code int post_send(qp, wr, bad_wr)}, or null if the driver lacks it; likewise for the other data
     * verbs}
     */
    public NativeFunction postSend() {
        return postSend;
    }

    /** {@return {@code int post_recv(qp, wr, bad_wr)}} */
    public NativeFunction postRecv() {
        return postRecv;
    }

    /** {@return {@code int post_srq_recv(srq, wr, bad_wr)}} */
    public NativeFunction postSrqRecv() {
        return postSrqRecv;
    }

    /** {@return {@code int poll_cq(cq, num_entries, wc)}} */
    public NativeFunction pollCq() {
        return pollCq;
    }

    /** {@return {@code int req_notify_cq(cq, solicited_only)}} */
    public NativeFunction reqNotifyCq() {
        return reqNotifyCq;
    }

    /**
     * Returns a function of {@code ibv_context.ops}.
     *
     * @param offset of its pointer, one of {@link ContextLayout}'s {@code OPS_} constants
     * @return the function, or null if the driver lacks it
     */
    public NativeFunction op(int offset) {
        long address = NativeMemory.getLong(context + offset);
        return address == 0 ? null : NativeFunction.at(address);
    }

    private NativeFunction data(int offset) {
        long address = NativeMemory.getLong(context + offset);
        return address == 0 ? null : NativeFunction.data(address);
    }

    /** {@return how many bytes of {@code struct verbs_context} the library has, or 0 if none} */
    public long extendedSize() {
        return NativeMemory.getLong(context + MARKER) == IS_EXTENDED
                ? NativeMemory.getLong(context + ExtendedContextLayout.SZ)
                : 0;
    }

    /**
     * Returns a function of the extended context. Checks the marker, then the size, then the slot.
     *
     * @param slot of its pointer, one of {@link ExtendedContextLayout}'s negative offsets
     * @return the function, or null if library or driver lack it
     */
    public NativeFunction extended(int slot) {
        if (extendedSize() < (long) CONTEXT_SIZE - slot) {
            return null;
        }
        long address = NativeMemory.getLong(context + slot);
        return address == 0 ? null : NativeFunction.at(address);
    }
}
