/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.strategy;

import io.verbs4j.bulk.control.Hello;

/**
 * How the two sides of a connection do transfers, given the operations that both support.
 *
 * @param datagrams messages are datagrams; otherwise the connection is a reliable one
 * @param writes PUT is a WRITE; otherwise datagrams carry the bytes
 * @param ring messages are written into a ring in the other side's memory; otherwise they are sent
 * @param reads GET and long messages are READ; otherwise the side that has the bytes is asked to WRITE them
 * @param immediates the last WRITE carries a short notification; otherwise a message follows it
 */
public record Protocol(boolean datagrams, boolean writes, boolean ring, boolean reads, boolean immediates) {
    private static final int SILENT_VERSION = 1;

    /**
     * Returns why two sides can't work together.
     *
     * @param datagrams whether the connection uses datagrams
     * @return text that names the side and what it lacks; null if they can work together
     */
    public static String refusal(Abilities own, Hello peer, boolean datagrams) {
        Abilities theirs = abilities(peer);
        if (datagrams) {
            String lacking = lacking(own, theirs, Abilities.DATAGRAMS);
            return lacking == null && own.has(Abilities.LOSSLESS) != theirs.has(Abilities.LOSSLESS)
                    ? "one side's datagrams are of type UD, and the other's of its vendor's own type"
                    : lacking;
        }
        if (peer.version() == SILENT_VERSION && !own.has(Abilities.ALL.bits())) {
            return "it speaks version " + SILENT_VERSION + ", which requires on both sides "
                    + own.lacking(Abilities.ALL.bits())
                    + ", but the device of this side lacks it; use a newer release there, or another device here";
        }
        String lacking = lacking(own, theirs, Abilities.NEEDED);
        return lacking == null && of(own, peer, false).ring() && peer.ring() == 0
                ? "it offers no memory for messages, which is needed if a device lacks SEND"
                : lacking;
    }

    private static String lacking(Abilities own, Abilities peer, long needed) {
        String here = own.lacking(needed);
        String there = peer.lacking(needed);
        if (here.isEmpty() && there.isEmpty()) {
            return null;
        }
        return (here.isEmpty() ? "" : "the device of this side lacks " + here)
                + (here.isEmpty() || there.isEmpty() ? "" : "; ")
                + (there.isEmpty() ? "" : "its device lacks " + there);
    }

    /** {@return the protocol of two sides that have no {@link #refusal}} */
    public static Protocol of(Abilities own, Hello peer, boolean datagrams) {
        Abilities both = own.and(abilities(peer));
        if (datagrams) {
            return new Protocol(
                    true, both.has(Abilities.DATAGRAM_WRITE), false, both.has(Abilities.DATAGRAM_READ), true);
        }
        boolean sends = both.has(Abilities.SEND);
        return new Protocol(false, true, !sends, both.has(Abilities.READ), sends && both.has(Abilities.IMMEDIATE));
    }

    private static Abilities abilities(Hello peer) {
        return peer.version() == SILENT_VERSION ? Abilities.ALL : new Abilities(peer.capabilities());
    }
}
