/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.efadv;

/**
 * What a completion queue is made of beyond the verbs. Not thread-safe. Source: efadv_create_cq(3), {@code struct efadv_cq_init_attr}.
 */
public final class EfaCqInitAttr {
    private long wcFlags;

    /** A completion queue with nothing more. */
    public EfaCqInitAttr() {}

    /** {@return what completions have beyond the verbs, {@link EfaWcFlags} bits} */
    public long wcFlags() {
        return wcFlags;
    }

    /**
     * Says what completions have beyond the verbs.
     *
     * @param bits of {@link EfaWcFlags}
     * @return this
     */
    public EfaCqInitAttr wcFlags(long bits) {
        wcFlags = bits;
        return this;
    }
}
