/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.efadv;

/** Flags of {@link EfaQpInitAttr#wrFlags(long)}. Source: {@code efadv(7)}, {@code EFADV_WR_EX_*}. */
public final class EfaWrFlags {
    /** Work requests may carry processing hints; rdma-core 64. */
    public static final long PROCESSING_HINTS = 1 << 0;

    private EfaWrFlags() {}
}
