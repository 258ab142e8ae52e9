/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.efadv;

/** Flags of a send queue whose depth is asked for. Source: efadv(7), {@code EFADV_SQ_DEPTH_ATTR_*}. */
public final class EfaSqDepthFlags {
    /** RDMA writes may have inline data; rdma-core 63. */
    public static final int INLINE_WRITE = 1 << 0;

    private EfaSqDepthFlags() {}
}
