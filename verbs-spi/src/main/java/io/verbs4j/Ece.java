/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Options of an enhanced connection establishment: what both sides of a connection agree on beyond the standard. A
 * vendor gives them their meaning; programs pass on what {@link QueuePair#queryEce()} of one side returns to
 * {@link QueuePair#setEce(Ece)} of the other.
 *
 * <p>No bit of the mask is defined so far. Since level 4. Source: {@code struct ibv_ece}, {@code ibv_set_ece(3)}. Not
 * thread-safe.
 */
public final class Ece extends InputAttr {
    private int vendorId;
    private int options;

    /** Creates an instance whose masks are empty. */
    public Ece() {}

    /** {@return who has defined the options: the number of the vendor, 24 bits; 0 where there are none} */
    public int vendorId() {
        return vendorId;
    }

    /**
     * Sets {@link #vendorId()}.
     *
     * @param value who has defined the options: the number of the vendor, 24 bits; 0 where there are none
     * @return this
     */
    public Ece vendorId(int value) {
        vendorId = value;
        return this;
    }

    /** {@return the options, of the vendor's own meaning} */
    public int options() {
        return options;
    }

    /**
     * Sets {@link #options()}.
     *
     * @param value the options, of the vendor's own meaning
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
