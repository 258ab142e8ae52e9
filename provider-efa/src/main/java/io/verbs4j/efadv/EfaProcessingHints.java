/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.efadv;

/** What the device may know of work requests, for {@link EfaDv#processingHints}. Source: efadv(7), {@code EFADV_WR_PROCESSING_HINT_*}. */
public final class EfaProcessingHints {
    /** Many short ones in a row, whose number in a second matters; rdma-core 64. */
    public static final int BURST_PPS_SENSITIVE = 1 << 0;

    private EfaProcessingHints() {}
}
