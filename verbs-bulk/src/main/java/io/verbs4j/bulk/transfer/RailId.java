/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

/**
 * Which queue pair of a rail.
 *
 * @param rail number of the rail, 1 to {@link io.verbs4j.bulk.control.RailKeys#MOST}
 * @param attempt number of its queue pair since the connection was made, from 0
 * @param epoch number of the connection
 */
public record RailId(int rail, int attempt, int epoch) {
    /** Queue pairs that a rail may have in an epoch. */
    static final int MOST_ATTEMPTS = 1 << 16;

    private static final int ATTEMPT = 8; // shift
    private static final int EPOCH = 32; // shift
    private static final int BYTE = 0xff;
    private static final int SHORT = 0xffff;

    /** Of the first queue pair of a rail. */
    public static RailId first(int rail, int epoch) {
        return new RailId(rail, 0, epoch);
    }

    /** The next queue pair of the same rail. */
    RailId next() {
        return new RailId(rail, attempt + 1, epoch);
    }

    /** {@return what messages have} */
    long encode() {
        return (long) epoch << EPOCH | (long) attempt << ATTEMPT | rail;
    }

    static RailId decode(long bits) {
        return new RailId((int) bits & BYTE, (int) (bits >>> ATTEMPT) & SHORT, (int) (bits >>> EPOCH));
    }

    /** Bits of requests' identifiers that tell queue pairs of a rail apart which come one after the other. */
    int tag() {
        return (epoch & BYTE) << ATTEMPT | attempt & BYTE;
    }
}
