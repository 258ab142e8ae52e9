/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rc;

import io.verbs4j.Gid;

/**
 * What the other end must know of an {@link RcEnd}.
 *
 * @param qpNum number of the queue pair
 * @param psn first packet sequence number
 * @param gid GID of the port
 * @param addr address of the memory
 * @param rkey key of the memory
 */
public record RcAddress(int qpNum, int psn, Gid gid, long addr, int rkey) {
    /** Parses what {@link #toText} wrote. */
    public static RcAddress parse(String text) {
        String[] parts = text.split(" ", -1);
        return new RcAddress(
                Integer.parseInt(parts[0]),
                Integer.parseInt(parts[1]),
                Gid.parseHex(parts[2]),
                Long.parseLong(parts[3]),
                Integer.parseInt(parts[4]));
    }

    /** Returns the values as text, without line breaks. */
    public String toText() {
        return qpNum + " " + psn + " " + gid.toHex() + " " + addr + " " + rkey;
    }
}
