/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.traffic;

import io.verbs4j.tools.base.ToolException;

/** Checks numbers of the command line, and names their option when it refuses one. */
public final class Limits {
    /** Highest number of ports: a byte counts them. */
    public static final int MOST_PORTS = 255;

    /** Highest TCP or RDMA-CM port, and highest GID index: both have 16 bits. */
    public static final int MOST_16_BITS = 65535;

    private Limits() {}

    /**
     * Refuses a number outside a range.
     *
     * @param option the option's name
     * @param value the number given
     * @param least lowest allowed number
     * @param most highest allowed number; {@link Integer#MAX_VALUE} for no limit
     */
    public static void check(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw ToolException.usage(option + " " + value + ": must be "
                    + (most == Integer.MAX_VALUE ? "at least " + least : least + " to " + most));
        }
    }

    /**
     * Refuses an invalid MTU.
     *
     * @param mtu the MTU given, or null if none was
     */
    public static void checkMtu(Integer mtu) {
        if (mtu != null && (mtu < 256 || mtu > 4096 || Integer.bitCount(mtu) != 1)) {
            throw ToolException.usage("-m " + mtu + ": an MTU is 256, 512, 1024, 2048 or 4096");
        }
    }

    /**
     * Refuses an invalid time.
     *
     * @param option the option's name
     * @param seconds the time given, or null if none was
     * @param zero whether 0 is allowed
     */
    public static void checkTime(String option, Double seconds, boolean zero) {
        if (seconds != null && !((zero ? seconds >= 0 : seconds > 0) && seconds <= 86400)) {
            throw ToolException.usage(option + " " + seconds + ": "
                    + (zero ? "0 seconds or more" : "more than 0 seconds") + ", at most a day");
        }
    }
}
