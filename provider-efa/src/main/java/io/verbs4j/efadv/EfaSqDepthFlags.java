/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.efadv;

/**
 * Properties of the send queue that {@link EfaDv#maxSendQueueDepth} describes. Source: {@code efadv(7)},
 * {@code EFADV_SQ_DEPTH_ATTR_*}.
 */
public final class EfaSqDepthFlags {
    /** RDMA writes may carry inline data; rdma-core 63. */
    public static final int INLINE_WRITE = 1 << 0;

    private EfaSqDepthFlags() {}
}
