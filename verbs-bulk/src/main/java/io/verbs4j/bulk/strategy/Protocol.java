/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.strategy;

import io.verbs4j.bulk.control.Hello;

/**
 * How two sides of a connection do transfers, by the operations that both have. PUT is always a WRITE.
 *
 * @param ring messages are written into a ring in the other side's memory; otherwise they are sent
 * @param reads GET and long messages are READ; otherwise the side that has the bytes is asked to WRITE them
 * @param immediates the last WRITE carries a short notification; otherwise a message behind it does
 */
public record Protocol(boolean ring, boolean reads, boolean immediates) {
    private static final int SILENT_VERSION = 1;

    /** {@return why two sides can't work together, in words that name who lacks what; null where they can} */
    public static String refusal(Abilities own, Hello peer) {
        if (peer.version() == SILENT_VERSION && !own.equals(Abilities.ALL)) {
            return "it speaks version " + SILENT_VERSION + ", in which both sides need "
                    + own.lacking(Abilities.ALL.bits())
                    + ", and the device of this side has not; let it use a newer release, or this side another device";
        }
        Abilities theirs = abilities(peer);
        String here = own.lacking(Abilities.NEEDED);
        String there = theirs.lacking(Abilities.NEEDED);
        if (here.isEmpty() && there.isEmpty()) {
            return of(own, peer).ring() && peer.ring() == 0
                    ? "it gives no memory for messages, which is needed where a device lacks SEND"
                    : null;
        }
        return (here.isEmpty() ? "" : "the device of this side lacks " + here)
                + (here.isEmpty() || there.isEmpty() ? "" : "; ")
                + (there.isEmpty() ? "" : "its device lacks " + there);
    }

    /** {@return how two sides work together that have no {@link #refusal}} */
    public static Protocol of(Abilities own, Hello peer) {
        Abilities both = own.and(abilities(peer));
        boolean sends = both.has(Abilities.SEND);
        return new Protocol(!sends, both.has(Abilities.READ), sends && both.has(Abilities.IMMEDIATE));
    }

    private static Abilities abilities(Hello peer) {
        return peer.version() == SILENT_VERSION ? Abilities.ALL : new Abilities(peer.capabilities());
    }
}
