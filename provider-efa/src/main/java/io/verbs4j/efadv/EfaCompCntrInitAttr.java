/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.efadv;

/**
 * What a completion counter is made of. Not thread-safe. Source: efadv_create_comp_cntr(3), {@code struct efadv_comp_cntr_init_attr}.
 */
public final class EfaCompCntrInitAttr {
    /** Flag: what went well is counted where {@link #completions(EfaMemoryLocation)} says. */
    public static final int COMP_EXTERNAL_MEM = 1 << 0;

    /** Flag: what failed is counted where {@link #errors(EfaMemoryLocation)} says. */
    public static final int ERR_EXTERNAL_MEM = 1 << 1;

    private EfaMemoryLocation completions;
    private EfaMemoryLocation errors;

    /** A counter whose words are libefa's. */
    public EfaCompCntrInitAttr() {}

    /** {@return where what went well is counted; null: in memory of libefa's} */
    public EfaMemoryLocation completions() {
        return completions;
    }

    /**
     * Says where to count what went well.
     *
     * @param place the word, which becomes 0; null for one of libefa's
     * @return this
     */
    public EfaCompCntrInitAttr completions(EfaMemoryLocation place) {
        completions = place;
        return this;
    }

    /** {@return where what failed is counted; null: in memory of libefa's} */
    public EfaMemoryLocation errors() {
        return errors;
    }

    /**
     * Says where to count what failed.
     *
     * @param place the word, which becomes 0; null for one of libefa's
     * @return this
     */
    public EfaCompCntrInitAttr errors(EfaMemoryLocation place) {
        errors = place;
        return this;
    }

    int flags() {
        return (completions == null ? 0 : COMP_EXTERNAL_MEM) | (errors == null ? 0 : ERR_EXTERNAL_MEM);
    }
}
