/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.efadv;

/** What a work queue can do, {@link EfaWorkQueue#caps()}. Source: efadv(7), {@code EFADV_WQ_CAPS_*}. */
public final class EfaWqCaps {
    /** Ids of work requests have 64 bits; rdma-core 65. */
    public static final int REQ_ID_64_BIT = 1 << 0;

    private EfaWqCaps() {}
}
