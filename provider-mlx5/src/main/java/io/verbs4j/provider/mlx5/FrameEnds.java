/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

import io.verbs4j.Errno;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.VerbsException;
import io.verbs4j.WqInitAttr;
import io.verbs4j.mlx5dv.Devx;
import io.verbs4j.mlx5dv.Mailbox;
import io.verbs4j.provider.mlx5.ring.FrameLimits;

/**
 * The send limits of a raw packet queue pair, and the index by which completions identify its receive queue.
 *
 * @param limits limits of sends
 * @param index index of its receive queue, if it has one
 */
record FrameEnds(FrameLimits limits, int index) {
    /** Bytes of a frame that older devices need in the element: an Ethernet header with a tag. */
    private static final int LAYER_2 = 18;

    /** The type of capabilities for Ethernet. */
    private static final int ETHERNET = 1;

    /** Bit of {@code wqe_inline_mode} in those: the headers that devices need in an element. */
    private static final int INLINE_MODE = 0x12;

    private static final int MODE_BITS = 2;
    private static final int AS_THE_PORT_SAYS = 1;
    private static final int NOTHING = 2;

    /**
     * {@code MLX5_CMD_OP_QUERY_NIC_VPORT_CONTEXT}, and {@code min_wqe_inline_mode} of its output, where 0 means none.
     */
    private static final int QUERY_PORT = 0x754;

    private static final int PORT_ANSWER = 272;
    private static final int PORT_MODE = 0x85;
    private static final int PORT_MODE_BITS = 3;

    /**
     * Returns those of a {@code struct ibv_qp}.
     *
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if the index that completions report for its receives cannot be
     *     queried
     */
    static FrameEnds of(Mlx5Context base, QpInitAttrEx attr, long operations, long qp) {
        boolean receives = attr.srq() == null && attr.cap().maxRecvWr() != 0;
        int index = receives ? known("create_qp", FrameIndex.ofQp(qp)) : FrameIndex.UNKNOWN;
        return new FrameEnds(limits(base, attr, operations), index);
    }

    /** Creates the native side of a {@code struct ibv_wq}; throws as {@link #of} does. */
    static Mlx5Wq workQueue(Mlx5Context base, WqInitAttr attr, long wq) {
        return new Mlx5Wq(base, attr, wq, known("create_wq", FrameIndex.ofWq(wq)));
    }

    private static int known(String verb, int index) {
        if (index == FrameIndex.UNKNOWN) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "DevX does not report the number by which completions name the queue; use -D" + Mlx5Context.PATH
                            + "=native");
        }
        return index;
    }

    private static FrameLimits limits(Mlx5Context base, QpInitAttrEx attr, long operations) {
        return new FrameLimits(
                base.inlineHeader(),
                base.makesChecksums(),
                attr.maxTsoHeader(),
                (operations & QpCreateSendOps.TSO) == 0 ? 0 : base.mostSegmented());
    }

    /**
     * Returns the number of bytes of a frame that the device needs in an element. If that is unknown, returns the
     * number that all devices accept.
     */
    static int inlineHeader(Mlx5Context base) {
        Mailbox caps = HcaCaps.of(base, ETHERNET);
        if (caps == null) {
            return LAYER_2;
        }
        return switch (HcaCaps.field(caps, INLINE_MODE, MODE_BITS)) {
            case NOTHING -> 0;
            case AS_THE_PORT_SAYS -> ofPort(base);
            default -> LAYER_2;
        };
    }

    private static int ofPort(Mlx5Context base) {
        Mailbox out = new Mailbox(PORT_ANSWER);
        try {
            base.vendor(Devx.class).generalCmd(new Mailbox(Mailbox.HEADER_LENGTH).opcode(QUERY_PORT), out);
        } catch (VerbsException e) {
            return LAYER_2;
        }
        return out.getInt(PORT_MODE, PORT_MODE_BITS) == 0 ? 0 : LAYER_2;
    }
}
