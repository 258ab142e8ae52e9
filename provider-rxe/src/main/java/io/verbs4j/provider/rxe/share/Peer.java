/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

/**
 * What a process publishes about itself with an address.
 *
 * @param pid the process number
 * @param nonceHigh first half of a random number of this address; never 0
 * @param nonceLow second half of the random number
 * @param nonceAddress address of the random number in the process's memory, where it lies as long as the process has
 *     the address
 * @param mailbox the process's descriptor of the mailbox
 */
record Peer(int pid, long nonceHigh, long nonceLow, long nonceAddress, int mailbox) {
    private static final String VERSION = "2";

    /** {@return the text to write to a file} */
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

    /** Parses the text of a file; returns null if it has another format. */
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

    /** Returns whether both describe the same address of the same process, published by the same link. */
    boolean isSame(Peer other) {
        return other != null && pid == other.pid && nonceHigh == other.nonceHigh && nonceLow == other.nonceLow;
    }
}
