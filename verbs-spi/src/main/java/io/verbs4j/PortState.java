/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Logical states of a port.
 *
 * <p>A device newer than this class may report further values. Source: {@code ibv_query_port(3)}.
 */
public final class PortState {
    /**
     * No state; in a request to a port it means that the state is unchanged. Source: {@code IBV_PORT_NOP},
     * {@code ibv_query_port(3)}.
     */
    public static final int NOP = 0;

    /** The link is not up; no packet passes. Source: {@code IBV_PORT_DOWN}, {@code ibv_query_port(3)}. */
    public static final int DOWN = 1;

    /**
     * The link is up and waits for the subnet manager; only management packets pass. Source: {@code IBV_PORT_INIT},
     * {@code ibv_query_port(3)}.
     */
    public static final int INIT = 2;

    /**
     * The subnet manager has configured the port; data packets are received but not yet sent. Source:
     * {@code IBV_PORT_ARMED}, {@code ibv_query_port(3)}.
     */
    public static final int ARMED = 3;

    /**
     * All packets pass; the only state in which queue pairs can exchange data both ways. Source:
     * {@code IBV_PORT_ACTIVE}, {@code ibv_query_port(3)}.
     */
    public static final int ACTIVE = 4;

    /**
     * The port was active and lost its link for a moment; it returns to active or goes down. Source:
     * {@code IBV_PORT_ACTIVE_DEFER}, {@code ibv_query_port(3)}.
     */
    public static final int ACTIVE_DEFER = 5;

    private PortState() {}

    /**
     * Returns the text of a port state worded as by {@code ibv_port_state_str(3)}.
     *
     * @param state one of the constants of this class
     * @return the text, or {@code "unknown"} if the value has none
     */
    public static String toString(int state) {
        switch (state) {
            case NOP:
                return "no state change (NOP)";
            case DOWN:
                return "down";
            case INIT:
                return "init";
            case ARMED:
                return "armed";
            case ACTIVE:
                return "active";
            case ACTIVE_DEFER:
                return "active defer";
            default:
                return "unknown";
        }
    }
}
