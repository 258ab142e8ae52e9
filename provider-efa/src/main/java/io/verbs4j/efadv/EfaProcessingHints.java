/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.efadv;

/**
 * Hints about work requests, for {@link EfaDv#processingHints}. Source: {@code efadv(7)},
 * {@code EFADV_WR_PROCESSING_HINT_*}.
 */
public final class EfaProcessingHints {
    /** A burst of short requests whose rate matters; rdma-core 64. */
    public static final int BURST_PPS_SENSITIVE = 1 << 0;

    private EfaProcessingHints() {}
}
