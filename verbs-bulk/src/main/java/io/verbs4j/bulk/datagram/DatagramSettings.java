/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.datagram;

/**
 * Settings that two sides have agreed on.
 *
 * @param token random token in packets to this side; its low 32 bits are the number of the first packet
 * @param depth maximum number of requests in flight, a power of two
 * @param window maximum number of packets in flight, a power of two up to 64; each side has more receives than that
 */
public record DatagramSettings(long token, int depth, int window) {
    /** Rejects values that would break the protocol. */
    public DatagramSettings {
        if (Integer.bitCount(depth) != 1 || Integer.bitCount(window) != 1 || window > ReceiveWindow.MOST) {
            throw new IllegalArgumentException("depth " + depth + ", window " + window);
        }
    }
}
