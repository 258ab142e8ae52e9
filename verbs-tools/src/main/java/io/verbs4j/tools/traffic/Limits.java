/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.traffic;

import io.verbs4j.tools.base.ToolException;

/** Refuses numbers of the command line that can't be, by the name of their option. */
public final class Limits {
    /** Ports of a device are counted in a byte. */
    public static final int MOST_PORTS = 255;

    /** Port numbers of TCP and RDMA-CM have 16 bits, and so have GID indexes. */
    public static final int MOST_16_BITS = 65535;

    private Limits() {}

    /**
     * Refuses what lies outside of a range.
     *
     * @param option the option's name
     * @param value what was given
     * @param least the lowest that can be
     * @param most the highest; {@link Integer#MAX_VALUE} for any
     */
    public static void check(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw ToolException.usage(option + " " + value + ": must be "
                    + (most == Integer.MAX_VALUE ? "at least " + least : least + " to " + most));
        }
    }

    /**
     * Refuses an MTU that can't be.
     *
     * @param mtu what was given; null where nothing was
     */
    public static void checkMtu(Integer mtu) {
        if (mtu != null && (mtu < 256 || mtu > 4096 || Integer.bitCount(mtu) != 1)) {
            throw ToolException.usage("-m " + mtu + ": an MTU is 256, 512, 1024, 2048 or 4096");
        }
    }

    /**
     * Refuses a time that can't be.
     *
     * @param option the option's name
     * @param seconds what was given; null where nothing was
     * @param zero whether none at all is a time
     */
    public static void checkTime(String option, Double seconds, boolean zero) {
        if (seconds != null && !((zero ? seconds >= 0 : seconds > 0) && seconds <= 86400)) {
            throw ToolException.usage(option + " " + seconds + ": "
                    + (zero ? "0 seconds or more" : "more than 0 seconds") + ", at most a day");
        }
    }
}
