/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

/**
 * Identifies a queue pair of a rail.
 *
 * @param rail number of the rail, 1 to {@link io.verbs4j.bulk.control.RailKeys#MOST}
 * @param attempt number of its queue pair since the connection was made, from 0
 * @param epoch number of the connection
 */
public record RailId(int rail, int attempt, int epoch) {
    /** Maximum number of queue pairs that a rail may have in an epoch. */
    static final int MOST_ATTEMPTS = 1 << 16;

    private static final int ATTEMPT = 8; // shift
    private static final int EPOCH = 32; // shift
    private static final int BYTE = 0xff;
    private static final int SHORT = 0xffff;

    /** Returns the id of a rail's first queue pair. */
    public static RailId first(int rail, int epoch) {
        return new RailId(rail, 0, epoch);
    }

    /** Returns the id of the same rail's next queue pair. */
    RailId next() {
        return new RailId(rail, attempt + 1, epoch);
    }

    /** {@return the form in messages} */
    long encode() {
        return (long) epoch << EPOCH | (long) attempt << ATTEMPT | rail;
    }

    static RailId decode(long bits) {
        return new RailId((int) bits & BYTE, (int) (bits >>> ATTEMPT) & SHORT, (int) (bits >>> EPOCH));
    }

    /** Bits in the identifiers of requests that distinguish successive queue pairs of a rail. */
    int tag() {
        return (epoch & BYTE) << ATTEMPT | attempt & BYTE;
    }
}
