/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * A filter of a {@link Flow}: the header of IPsec's ESP.
 *
 * <p>Since level 4. Source: {@code struct ibv_flow_spec_esp}, ibv_create_flow(3). Not thread-safe.
 */
public final class FlowSpecEsp extends FlowFilter {
    private static final int SPI = 0;
    private static final int SEQ = 4;

    /** Creates a filter that all match. */
    public FlowSpecEsp() {
        super(FlowSpecType.ESP, 8);
    }

    /**
     * Sets {@link #isInner()}.
     *
     * @param value whether it is of the packet inside a tunnel
     * @return this
     */
    public FlowSpecEsp inner(boolean value) {
        setInner(value);
        return this;
    }

    /** {@return the index of the security parameters} */
    public int spi() {
        return numberOfValue(SPI, 4);
    }

    /** {@return which bits of {@link #spi()} count} */
    public int spiMask() {
        return numberOfMask(SPI, 4);
    }

    /**
     * Sets {@link #spi()}, of which all bits count.
     *
     * @param value the index of the security parameters
     * @return this
     */
    public FlowSpecEsp spi(int value) {
        return spi(value, -1);
    }

    /**
     * Sets {@link #spi()} and {@link #spiMask()}.
     *
     * @param value the index of the security parameters
     * @param mask which bits of it count
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

    /** {@return which bits of {@link #seq()} count} */
    public int seqMask() {
        return numberOfMask(SEQ, 4);
    }

    /**
     * Sets {@link #seq()}, of which all bits count.
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
     * @param mask which bits of it count
     * @return this
     */
    public FlowSpecEsp seq(int value, int mask) {
        number("seq", SEQ, 4, value, mask);
        return this;
    }
}
