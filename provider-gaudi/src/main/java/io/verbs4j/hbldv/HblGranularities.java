/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

/** Element sizes of send queues. Source: {@code HBLDV_SWQE_GRAN_*}. */
public final class HblGranularities {
    /** 32 bytes. */
    public static final int BYTES_32 = 0;

    /** 64 bytes. */
    public static final int BYTES_64 = 1;

    private HblGranularities() {}
}
