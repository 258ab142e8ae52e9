/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.text;

import io.verbs4j.Gid;

/** Writes GIDs as {@code inet_ntop(3)} writes IPv6 addresses, which is how the C programs show them. */
public final class GidText {
    private static final int GROUPS = 8;

    private GidText() {}

    /**
     * Writes a GID.
     *
     * @param gid the GID
     * @return for instance {@code ::ffff:192.0.2.1}, {@code fe80::1}, {@code ::}
     */
    public static String of(Gid gid) {
        int[] groups = new int[GROUPS];
        for (int i = 0; i < GROUPS; i++) {
            long half = i < GROUPS / 2 ? gid.subnetPrefix() : gid.interfaceId();
            groups[i] = (int) (half >>> 48 - i % 4 * 16) & 0xffff;
        }
        int begin = -1;
        int length = 1; // a single zero group is written out
        for (int i = 0; i < GROUPS; i++) {
            int end = i;
            while (end < GROUPS && groups[end] == 0) {
                end++;
            }
            if (end - i > length) {
                begin = i;
                length = end - i;
            }
            i = Math.max(i, end - 1);
        }
        boolean ipv4 = begin == 0 && (length == 6 || length == 5 && groups[5] == 0xffff);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < (ipv4 ? 6 : GROUPS); i++) {
            if (i == begin) {
                text.append("::");
                i += length - 1;
            } else {
                if (i > 0 && text.charAt(text.length() - 1) != ':') {
                    text.append(':');
                }
                text.append(Integer.toHexString(groups[i]));
            }
        }
        if (ipv4) {
            if (text.charAt(text.length() - 1) != ':') {
                text.append(':');
            }
            int address = (int) gid.interfaceId();
            text.append(address >>> 24).append('.').append(address >>> 16 & 255);
            text.append('.').append(address >>> 8 & 255).append('.').append(address & 255);
        }
        return text.toString();
    }
}
