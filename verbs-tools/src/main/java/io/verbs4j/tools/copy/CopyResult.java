/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.copy;

import io.verbs4j.tools.text.Printable;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The result of a file that is complete at the receiver.
 *
 * @param name the file's name
 * @param bytes its length
 * @param before how many of them the receiver already had
 * @param unchanged whether the receiver already had all of it, under its name
 * @param reconnections how often the connection was re-established
 * @param seconds how long it took, including the check of what the receiver had
 * @param sha256 its checksum
 */
record CopyResult(
        String name, long bytes, long before, boolean unchanged, int reconnections, double seconds, String sha256) {

    /** {@return the rate of the bytes that were transferred, in bytes per second} */
    private double rate() {
        return (bytes - before) / Math.max(seconds, 1e-9);
    }

    /** {@return a line for people} */
    String text() {
        String sum = ", sha256 " + sha256 + ", verified";
        if (unchanged) {
            return Printable.of(name) + ": not sent: its " + bytes + " bytes are already there" + sum;
        }
        String more = before > 0 ? ", " + before + " of them already there" : "";
        if (reconnections > 0) {
            more += ", reconnected " + (reconnections == 1 ? "once" : reconnections + " times");
        }
        return String.format(
                Locale.ROOT,
                "%s: %d bytes in %.2f s (%.1f MB/s)%s%s",
                Printable.of(name),
                bytes,
                seconds,
                rate() / 1e6,
                more,
                sum);
    }

    /** {@return the result as JSON} */
    Map<String, Object> json() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", name);
        map.put("bytes", bytes);
        map.put("bytesBefore", before);
        map.put("sent", !unchanged);
        map.put("reconnections", reconnections);
        map.put("seconds", seconds);
        map.put("bytesPerSecond", rate());
        map.put("sha256", sha256);
        map.put("verified", true);
        return map;
    }
}
