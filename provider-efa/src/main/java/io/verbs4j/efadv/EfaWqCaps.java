/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.efadv;

/**
 * Capabilities of a work queue, bits of {@link EfaWorkQueue#caps()}. Source: {@code efadv(7)}, {@code EFADV_WQ_CAPS_*}.
 */
public final class EfaWqCaps {
    /** Work request ids have 64 bits; rdma-core 65. */
    public static final int REQ_ID_64_BIT = 1 << 0;

    private EfaWqCaps() {}
}
