/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.efadv;

/** Flags of {@link EfaQpInitAttr#flags(int)}. Source: efadv(7), {@code EFADV_QP_FLAGS_*}. */
public final class EfaQpFlags {
    /** Writes with immediate data take no receive here, where the sender has the flag too; rdma-core 52. */
    public static final int UNSOLICITED_WRITE_RECV = 1 << 0;

    /** RDMA writes may have inline data; rdma-core 63. */
    public static final int INLINE_WRITE = 1 << 1;

    private EfaQpFlags() {}
}
