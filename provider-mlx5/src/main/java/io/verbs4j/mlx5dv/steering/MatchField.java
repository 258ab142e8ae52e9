/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;

/**
 * A field of {@link FlowMatchParameters}: where it lies, in bits from the start, the most significant bit of the first
 * byte first. {@link OuterFields} and its siblings have those that are known; others can be made. Immutable.
 */
public final class MatchField {
    static final int PART = 512;

    private final String name;
    private final int bit;
    private final int width;

    /**
     * A field.
     *
     * @param name what messages call it
     * @param bit where it begins
     * @param width how many bits it has, 1 to 128; more than 64 only where it is of whole bytes
     * @throws VerbsException {@link Errno#EINVAL} where it has no or too many bits, does not lie in one part of 512
     *     bits, or is wide and does not begin at a byte
     */
    public MatchField(String name, int bit, int width) {
        boolean bytes = width % Byte.SIZE == 0 && bit % Byte.SIZE == 0;
        if (width < 1 || width > 128 || width > Long.SIZE && !bytes || bit < 0 || bit % PART + width > PART) {
            throw new VerbsException(
                    Errno.EINVAL,
                    FlowMatchParameters.VERB,
                    name + " is a field of " + width + " bits at bit " + bit
                            + "; a field lies in one part of 512 bits, and has up to 64 of them, or up to"
                            + " 16 whole bytes");
        }
        this.name = name;
        this.bit = bit;
        this.width = width;
    }

    /**
     * Its name.
     *
     * @return such as {@code outer.DMAC}
     */
    public String name() {
        return name;
    }

    /**
     * Where it begins.
     *
     * @return in bits from the start of the parameters
     */
    public int bit() {
        return bit;
    }

    /**
     * How wide it is.
     *
     * @return in bits
     */
    public int width() {
        return width;
    }

    @Override
    public String toString() {
        return name;
    }
}
