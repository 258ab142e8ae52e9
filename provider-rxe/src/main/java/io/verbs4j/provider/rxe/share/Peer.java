/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

/**
 * What the process that has an address says of itself.
 *
 * @param pid its number
 * @param nonceHigh a random number of this address, first half; never 0
 * @param nonceLow second half
 * @param nonceAddress where in its memory that lies, as long as the address is its own
 * @param mailbox its descriptor of the mailbox
 */
record Peer(int pid, long nonceHigh, long nonceLow, long nonceAddress, int mailbox) {
    private static final String VERSION = "2";

    /** As it is written to a file. */
    String text() {
        return String.join(
                " ",
                VERSION,
                Integer.toString(pid),
                Long.toHexString(nonceHigh),
                Long.toHexString(nonceLow),
                Long.toHexString(nonceAddress),
                Integer.toString(mailbox));
    }

    /** Understands that; null where it is something else. */
    static Peer parse(String text) {
        String[] fields = text.split(" ", -1);
        if (fields.length != 6 || !fields[0].equals(VERSION)) {
            return null;
        }
        try {
            Peer peer = new Peer(
                    Integer.parseInt(fields[1]),
                    Long.parseUnsignedLong(fields[2], 16),
                    Long.parseUnsignedLong(fields[3], 16),
                    Long.parseUnsignedLong(fields[4], 16),
                    Integer.parseInt(fields[5]));
            return peer.pid > 0 && peer.nonceHigh != 0 && peer.mailbox >= 0 ? peer : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** Whether it is the same process at the same time with the same address. */
    boolean isSame(Peer other) {
        return other != null && pid == other.pid && nonceHigh == other.nonceHigh && nonceLow == other.nonceLow;
    }
}
