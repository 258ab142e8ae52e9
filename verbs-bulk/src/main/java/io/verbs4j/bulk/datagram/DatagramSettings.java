/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.datagram;

/**
 * What two sides have agreed on.
 *
 * @param token what packets to this side carry; random. Its low 32 bits are the number of the first packet
 * @param depth requests under way at a time, a power of two
 * @param window packets under way at a time, a power of two, at most 64; each side has more receives than that
 */
public record DatagramSettings(long token, int depth, int window) {
    /** Checks what would break the protocol. */
    public DatagramSettings {
        if (Integer.bitCount(depth) != 1 || Integer.bitCount(window) != 1 || window > ReceiveWindow.MOST) {
            throw new IllegalArgumentException("depth " + depth + ", window " + window);
        }
    }
}
