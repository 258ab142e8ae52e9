/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;

/**
 * A field of {@link FlowMatchParameters}, located by its offset in bits from the most significant bit of the first
 * byte. {@link OuterFields} and its siblings define the known fields; programs can define others. Immutable.
 */
public final class MatchField {
    static final int PART = 512;

    private final String name;
    private final int bit;
    private final int width;

    /**
     * Creates a field.
     *
     * @param name name in messages
     * @param bit offset of the field in bits
     * @param width number of bits, 1 to 128; more than 64 only if the field consists of whole bytes
     * @throws VerbsException {@link Errno#EINVAL} if the field has no or too many bits, does not lie within one part of
     *     512 bits, or is wider than 64 bits without consisting of whole bytes
     */
    public MatchField(String name, int bit, int width) {
        boolean bytes = width % Byte.SIZE == 0 && bit % Byte.SIZE == 0;
        if (width < 1 || width > 128 || width > Long.SIZE && !bytes || bit < 0 || bit % PART + width > PART) {
            throw new VerbsException(
                    Errno.EINVAL,
                    FlowMatchParameters.VERB,
                    name + " is a field of " + width + " bits at bit " + bit
                            + "; a field must lie in one part of 512 bits, and have at most 64 bits or 16 whole bytes");
        }
        this.name = name;
        this.bit = bit;
        this.width = width;
    }

    /** {@return the name, for instance {@code outer.DMAC}} */
    public String name() {
        return name;
    }

    /** {@return the offset in bits from the start of the parameters} */
    public int bit() {
        return bit;
    }

    /** {@return the width in bits} */
    public int width() {
        return width;
    }

    @Override
    public String toString() {
        return name;
    }
}
