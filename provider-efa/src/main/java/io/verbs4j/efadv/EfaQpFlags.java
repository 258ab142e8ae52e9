/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.efadv;

/** Flags of {@link EfaQpInitAttr#flags(int)}. Source: {@code efadv(7)}, {@code EFADV_QP_FLAGS_*}. */
public final class EfaQpFlags {
    /** Incoming writes with immediate data consume no receive if the sender has this flag as well; rdma-core 52. */
    public static final int UNSOLICITED_WRITE_RECV = 1 << 0;

    /** RDMA writes may carry inline data; rdma-core 63. */
    public static final int INLINE_WRITE = 1 << 1;

    private EfaQpFlags() {}
}
