/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import io.verbs4j.provider.rxe.wire.PsnMath;

/** Calculations with packet sequence numbers that {@link PsnMath} does not have. */
final class Psn {
    private Psn() {}

    /**
     * Returns the steps from one number to another, 0 to 2^24 - 1. For messages, which may be longer than the range of
     * comparisons.
     */
    static int steps(int from, int to) {
        return to - from & PsnMath.MAX;
    }

    /** Returns the number of packets for some number of bytes; an empty message takes one. */
    static int packets(long bytes, int mtu) {
        return bytes <= mtu ? 1 : (int) ((bytes + mtu - 1) / mtu);
    }
}
