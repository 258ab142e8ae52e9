/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * A filter of a {@link Flow}: the IPsec ESP header.
 *
 * <p>Since level 4. Source: {@code struct ibv_flow_spec_esp}, {@code ibv_create_flow(3)}. Not thread-safe.
 */
public final class FlowSpecEsp extends FlowFilter {
    private static final int SPI = 0;
    private static final int SEQ = 4;

    /** Creates a filter that matches all packets. */
    public FlowSpecEsp() {
        super(FlowSpecType.ESP, 8);
    }

    /**
     * Sets {@link #isInner()}.
     *
     * @param value whether it applies to the packet inside a tunnel
     * @return this
     */
    public FlowSpecEsp inner(boolean value) {
        setInner(value);
        return this;
    }

    /** {@return the security parameter index (SPI)} */
    public int spi() {
        return numberOfValue(SPI, 4);
    }

    /** {@return the bits of {@link #spi()} that must match} */
    public int spiMask() {
        return numberOfMask(SPI, 4);
    }

    /**
     * Sets {@link #spi()} and requires all its bits to match.
     *
     * @param value the security parameter index (SPI)
     * @return this
     */
    public FlowSpecEsp spi(int value) {
        return spi(value, -1);
    }

    /**
     * Sets {@link #spi()} and {@link #spiMask()}.
     *
     * @param value the security parameter index (SPI)
     * @param mask the bits that must match
     * @return this
     */
    public FlowSpecEsp spi(int value, int mask) {
        number("spi", SPI, 4, value, mask);
        return this;
    }

    /** {@return the sequence number} */
    public int seq() {
        return numberOfValue(SEQ, 4);
    }

    /** {@return the bits of {@link #seq()} that must match} */
    public int seqMask() {
        return numberOfMask(SEQ, 4);
    }

    /**
     * Sets {@link #seq()} and requires all its bits to match.
     *
     * @param value the sequence number
     * @return this
     */
    public FlowSpecEsp seq(int value) {
        return seq(value, -1);
    }

    /**
     * Sets {@link #seq()} and {@link #seqMask()}.
     *
     * @param value the sequence number
     * @param mask the bits that must match
     * @return this
     */
    public FlowSpecEsp seq(int value, int mask) {
        number("seq", SEQ, 4, value, mask);
        return this;
    }
}
