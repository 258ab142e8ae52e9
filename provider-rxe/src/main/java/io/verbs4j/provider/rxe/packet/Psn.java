/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import io.verbs4j.provider.rxe.wire.PsnMath;

/** What the transport does with packet sequence numbers besides comparing them. */
final class Psn {
    private Psn() {}

    /** Steps from one number on to another, 0 to 2^24 - 1: for a message, which may be longer than comparing reaches. */
    static int steps(int from, int to) {
        return to - from & PsnMath.MAX;
    }

    /** Packets that so many bytes take; a message of nothing takes one. */
    static int packets(long bytes, int mtu) {
        return bytes <= mtu ? 1 : (int) ((bytes + mtu - 1) / mtu);
    }
}
