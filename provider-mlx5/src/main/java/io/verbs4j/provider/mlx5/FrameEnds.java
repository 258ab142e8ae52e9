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
 * What a raw packet queue pair sends, and what completions name its receive queue by.
 *
 * @param limits of sends
 * @param index of its receive queue, where it has one
 */
record FrameEnds(FrameLimits limits, int index) {
    /** Bytes of a frame that older devices want in the element: an Ethernet header with a tag. */
    private static final int LAYER_2 = 18;

    /** Kind of capabilities: of Ethernet. */
    private static final int ETHERNET = 1;

    /** {@code wqe_inline_mode} of these: what devices want in an element. */
    private static final int INLINE_MODE = 0x12;

    private static final int MODE_BITS = 2;
    private static final int AS_THE_PORT_SAYS = 1;
    private static final int NOTHING = 2;

    /**
     * {@code MLX5_CMD_OP_QUERY_NIC_VPORT_CONTEXT}, and {@code min_wqe_inline_mode} of the answer, where 0 is nothing.
     */
    private static final int QUERY_PORT = 0x754;

    private static final int PORT_ANSWER = 272;
    private static final int PORT_MODE = 0x85;
    private static final int PORT_MODE_BITS = 3;

    /**
     * Those of a {@code struct ibv_qp}.
     *
     * @throws VerbsException {@link Errno#EOPNOTSUPP} where nobody tells what its receives are named by
     */
    static FrameEnds of(Mlx5Context base, QpInitAttrEx attr, long operations, long qp) {
        boolean receives = attr.srq() == null && attr.cap().maxRecvWr() != 0;
        int index = receives ? known("create_qp", FrameIndex.ofQp(qp)) : FrameIndex.UNKNOWN;
        return new FrameEnds(limits(base, attr, operations), index);
    }

    /** That of a {@code struct ibv_wq}; throws as {@link #of}. */
    static Mlx5Wq workQueue(Mlx5Context base, WqInitAttr attr, long wq) {
        return new Mlx5Wq(base, attr, wq, known("create_wq", FrameIndex.ofWq(wq)));
    }

    private static int known(String verb, int index) {
        if (index == FrameIndex.UNKNOWN) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "the device does not tell by DevX what completions name the queue by; use -D" + Mlx5Context.PATH
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

    /** How many bytes of a frame the device wants in an element. Where nobody tells it gets what all take. */
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
