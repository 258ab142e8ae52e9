/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Options of enhanced connection establishment (ECE), on which both sides of a connection agree beyond the standard.
 * The vendor defines their meaning; programs pass the result of {@link QueuePair#queryEce()} on one side to
 * {@link QueuePair#setEce(Ece)} on the other.
 *
 * <p>No bit of the mask is defined yet. Since level 4. Source: {@code struct ibv_ece}, {@code ibv_set_ece(3)}. Not
 * thread-safe.
 */
public final class Ece extends InputAttr {
    private int vendorId;
    private int options;

    /** Creates an instance whose masks are empty. */
    public Ece() {}

    /** {@return the number of the vendor that defines the options, 24 bits; 0 if there are none} */
    public int vendorId() {
        return vendorId;
    }

    /**
     * Sets {@link #vendorId()}.
     *
     * @param value the number of the vendor that defines the options, 24 bits; 0 if there are none
     * @return this
     */
    public Ece vendorId(int value) {
        vendorId = value;
        return this;
    }

    /** {@return the options, whose meaning the vendor defines} */
    public int options() {
        return options;
    }

    /**
     * Sets {@link #options()}.
     *
     * @param value the options, whose meaning the vendor defines
     * @return this
     */
    public Ece options(int value) {
        options = value;
        return this;
    }

    @Override
    public String toString() {
        return "vendor 0x" + Integer.toHexString(vendorId) + ", options 0x" + Integer.toHexString(options);
    }
}
