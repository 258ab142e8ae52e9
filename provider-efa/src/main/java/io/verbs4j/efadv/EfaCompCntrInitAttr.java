/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.efadv;

/**
 * Attributes of a new completion counter. Not thread-safe. Source: {@code efadv_create_comp_cntr(3)}, {@code struct
 * efadv_comp_cntr_init_attr}.
 */
public final class EfaCompCntrInitAttr {
    /** Flag: successes are counted in the memory that {@link #completions(EfaMemoryLocation)} sets. */
    public static final int COMP_EXTERNAL_MEM = 1 << 0;

    /** Flag: failures are counted in the memory that {@link #errors(EfaMemoryLocation)} sets. */
    public static final int ERR_EXTERNAL_MEM = 1 << 1;

    private EfaMemoryLocation completions;
    private EfaMemoryLocation errors;

    /** Creates attributes of a counter in memory that libefa allocates. */
    public EfaCompCntrInitAttr() {}

    /** {@return the memory that successes are counted in; null for memory that libefa allocates} */
    public EfaMemoryLocation completions() {
        return completions;
    }

    /**
     * Sets the memory that successes are counted in.
     *
     * @param place the 8 bytes of the count, which are set to 0; null for memory that libefa allocates
     * @return this
     */
    public EfaCompCntrInitAttr completions(EfaMemoryLocation place) {
        completions = place;
        return this;
    }

    /** {@return the memory that failures are counted in; null for memory that libefa allocates} */
    public EfaMemoryLocation errors() {
        return errors;
    }

    /**
     * Sets the memory that failures are counted in.
     *
     * @param place the 8 bytes of the count, which are set to 0; null for memory that libefa allocates
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
