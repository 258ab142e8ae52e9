/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Physical states of a port: the code that a port reports in its attributes. libibverbs has numbers only; the names are
 * those of the PortPhysicalState component in the InfiniBand Architecture Specification, volume 1, 14.2.5.6.
 *
 * <p>A device newer than this class may report further values. Source: InfiniBand Architecture Specification,
 * volume 1, 14.2.5.6.
 */
public final class PortPhysState {
    /**
     * The transmitter is off to save power; the receiver waits for a signal. Source: InfiniBand Architecture
     * Specification, volume 1, 14.2.5.6.
     */
    public static final int SLEEP = 1;

    /**
     * The port sends a beacon and looks for a peer. Source: InfiniBand Architecture Specification, volume 1, 14.2.5.6.
     */
    public static final int POLLING = 2;

    /** The transmitter is switched off. Source: InfiniBand Architecture Specification, volume 1, 14.2.5.6. */
    public static final int DISABLED = 3;

    /**
     * The two ends are agreeing on width and speed. Source: InfiniBand Architecture Specification, volume 1, 14.2.5.6.
     */
    public static final int PORT_CONFIGURATION_TRAINING = 4;

    /** The link is up. Source: InfiniBand Architecture Specification, volume 1, 14.2.5.6. */
    public static final int LINK_UP = 5;

    /**
     * The link had errors and is being retrained. Source: InfiniBand Architecture Specification, volume 1, 14.2.5.6.
     */
    public static final int LINK_ERROR_RECOVERY = 6;

    /**
     * The port is in a test mode of its physical layer. Source: InfiniBand Architecture Specification, volume 1,
     * 14.2.5.6.
     */
    public static final int PHY_TEST = 7;

    private PortPhysState() {}

    /**
     * Returns the text of a physical state exactly as {@code ibv_devinfo(1)} prints it, including its spelling, for
     * programs that compare the output of tools.
     *
     * @param physState one of the constants of this class
     * @return the text, or {@code "invalid physical state"} if the value has none
     */
    public static String toString(int physState) {
        switch (physState) {
            case SLEEP:
                return "SLEEP";
            case POLLING:
                return "POLLING";
            case DISABLED:
                return "DISABLED";
            case PORT_CONFIGURATION_TRAINING:
                return "PORT_CONFIGURATION TRAINNING";
            case LINK_UP:
                return "LINK_UP";
            case LINK_ERROR_RECOVERY:
                return "LINK_ERROR_RECOVERY";
            case PHY_TEST:
                return "PHY TEST";
            default:
                return "invalid physical state";
        }
    }
}
