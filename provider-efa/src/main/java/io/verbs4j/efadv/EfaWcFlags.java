/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.efadv;

/**
 * EFA's additional completion fields, for {@link EfaCqInitAttr#wcFlags(long)}. Source: {@code efadv(7)},
 * {@code EFADV_WC_EX_*}.
 */
public final class EfaWcFlags {
    /** The GID of a sender that has no address handle here. */
    public static final long SGID = 1 << 0;

    /** Whether a write with immediate data consumed no receive; rdma-core 52. */
    public static final long IS_UNSOLICITED = 1 << 1;

    private EfaWcFlags() {}
}
