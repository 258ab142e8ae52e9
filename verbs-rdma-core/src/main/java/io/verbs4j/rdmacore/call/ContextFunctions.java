/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.call;

import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.layout.ContextLayout;
import io.verbs4j.rdmacore.layout.ExtendedContextLayout;

/**
 * The functions behind the pointers of an open {@code struct ibv_context}: what the inline functions of C's verbs.h reach.
 *
 * <pre>
 *        sz - size ... -16   the slots of struct verbs_context, where the library is new enough to have them
 *        -8                  sz: how much of struct verbs_context the library has
 * ctx -> 0                   struct ibv_context: device, ops (the functions of the first release)
 *        320 (328 on arm64)  abi_compat: all bits set where the part above is there at all
 * </pre>
 *
 * <p>The addresses are read once for each context: they may differ from device to device, also within one library.
 */
public final class ContextFunctions {
    private static final boolean AARCH64 = "aarch64".equals(System.getProperty("os.arch"));

    /** {@code sizeof(struct ibv_context)}, which {@code sz} counts in. */
    static final int CONTEXT_SIZE = AARCH64 ? ContextLayout.SIZEOF_AARCH64 : ContextLayout.SIZEOF;

    /** Where the marker is. */
    static final int MARKER = AARCH64 ? ContextLayout.ABI_COMPAT_AARCH64 : ContextLayout.ABI_COMPAT;

    private static final long IS_EXTENDED = -1;

    /** More than a queue of EFA has. */
    private static final int MOST_COMPLETIONS = 1 << 20;

    private final long context;
    private final boolean softRoce;
    private final boolean efa;
    private final NativeFunction postSend;
    private final NativeFunction postRecv;
    private final NativeFunction postSrqRecv;
    private final NativeFunction pollCq;
    private final NativeFunction reqNotifyCq;

    /**
     * Reads the pointers of an open context.
     *
     * @param context the {@code struct ibv_context}
     * @param softRoce whether the driver is librxe
     * @param efa whether the driver is libefa
     */
    public ContextFunctions(long context, boolean softRoce, boolean efa) {
        this.context = context;
        this.softRoce = softRoce;
        this.efa = efa;
        this.postSend = data(ContextLayout.OPS_POST_SEND);
        this.postRecv = data(ContextLayout.OPS_POST_RECV);
        this.postSrqRecv = data(ContextLayout.OPS_POST_SRQ_RECV);
        this.pollCq = data(ContextLayout.OPS_POLL_CQ);
        this.reqNotifyCq = op(ContextLayout.OPS_REQ_NOTIFY_CQ);
    }

    /** Whether the driver is librxe, which reads the region of a bind although there may be none. */
    public boolean bindReadsTheRegion() {
        return softRoce;
    }

    /**
     * Whether the driver is librxe. Its kernel side copies to and from regions that are paged on demand without the
     * offset into a page, and so to the wrong place; and it takes any region that it is advised of for one, and reads
     * what is not there.
     */
    public boolean spoilsOnDemand() {
        return softRoce;
    }

    /**
     * How many completions of queue pairs that are gone may be in a queue where polling stops at each, with EINVAL or fewer than there are, and goes on
     * behind it: those of libefa. 0 of drivers that take them out by themselves.
     */
    public int mostStrangers() {
        return efa ? MOST_COMPLETIONS : 0;
    }

    /** Whether the driver is librxe, which passes on the kernel's flag of a completion that tells a key, and it has another number. */
    public boolean tellsKeysByKernelsFlag() {
        return softRoce;
    }

    /**
     * Whether the driver is librxe, whose {@code next_poll} ends reading by itself where it finds nothing; {@code end_poll}, which is due
     * after that, then gives back a completion that nobody has seen.
     */
    public boolean endsReadingTwice() {
        return softRoce;
    }

    /** {@code int post_send(qp, wr, bad_wr)}; null where the driver has none. So with the other data verbs. */
    public NativeFunction postSend() {
        return postSend;
    }

    /** {@code int post_recv(qp, wr, bad_wr)}. */
    public NativeFunction postRecv() {
        return postRecv;
    }

    /** {@code int post_srq_recv(srq, wr, bad_wr)}. */
    public NativeFunction postSrqRecv() {
        return postSrqRecv;
    }

    /** {@code int poll_cq(cq, num_entries, wc)}. */
    public NativeFunction pollCq() {
        return pollCq;
    }

    /** {@code int req_notify_cq(cq, solicited_only)}. */
    public NativeFunction reqNotifyCq() {
        return reqNotifyCq;
    }

    /**
     * A function of {@code ibv_context.ops}.
     *
     * @param offset where its pointer is, one of {@link ContextLayout}'s {@code OPS_}
     * @return the function, or null where the driver has none
     */
    public NativeFunction op(int offset) {
        long address = NativeMemory.getLong(context + offset);
        return address == 0 ? null : NativeFunction.at(address);
    }

    private NativeFunction data(int offset) {
        long address = NativeMemory.getLong(context + offset);
        return address == 0 ? null : NativeFunction.data(address);
    }

    /** How much of {@code struct verbs_context} the library has, in bytes; 0 where it has none of it. */
    public long extendedSize() {
        return NativeMemory.getLong(context + MARKER) == IS_EXTENDED
                ? NativeMemory.getLong(context + ExtendedContextLayout.SZ)
                : 0;
    }

    /**
     * A function of the extended context: the marker first, then the size, then the slot.
     *
     * @param slot where its pointer is, one of {@link ExtendedContextLayout}'s negative offsets
     * @return the function, or null where library or driver do not have it
     */
    public NativeFunction extended(int slot) {
        if (extendedSize() < (long) CONTEXT_SIZE - slot) {
            return null;
        }
        long address = NativeMemory.getLong(context + slot);
        return address == 0 ? null : NativeFunction.at(address);
    }
}
