/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.efadv;

/** What completions have beyond the verbs, {@link EfaCqInitAttr#wcFlags(long)}. Source: efadv(7), {@code EFADV_WC_EX_*}. */
public final class EfaWcFlags {
    /** The GID of a sender that there is no address handle of. */
    public static final long SGID = 1 << 0;

    /** Whether a write with immediate data took no receive; rdma-core 52. */
    public static final long IS_UNSOLICITED = 1 << 1;

    private EfaWcFlags() {}
}
