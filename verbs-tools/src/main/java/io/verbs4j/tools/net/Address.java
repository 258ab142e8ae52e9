/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.net;

import io.verbs4j.Gid;
import io.verbs4j.tools.base.ToolException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address of a queue pair: what a peer must know to connect to it.
 *
 * <p>On the wire it is the text of libibverbs' ping-pong programs: LID, queue pair number and packet sequence number in
 * 4, 6 and 6 hexadecimal digits, the GID in 32, separated by colons, and a zero byte.
 *
 * <pre>0000:000011:7a3f01:00000000000000000000ffff7f010203</pre>
 *
 * @param lid the port's LID; 0 on Ethernet
 * @param qpn the queue pair's number
 * @param psn the sequence number of the first packet that it will send
 * @param gid the port's GID; {@link Gid#ZERO} if none is used
 */
public record Address(int lid, int qpn, int psn, Gid gid) {
    /** Length of the text, including its zero byte. */
    public static final int WIRE_LENGTH = 4 + 1 + 6 + 1 + 6 + 1 + 32 + 1;

    /** Placeholder for a queue pair that does not exist. */
    public static final Address NONE = new Address(0, 0, 0, Gid.ZERO);

    private static final Pattern TEXT =
            Pattern.compile("([0-9a-f]{4}):([0-9a-f]{6}):([0-9a-f]{6}):([0-9a-f]{32})", Pattern.CASE_INSENSITIVE);

    /** {@return the text, without its zero byte} */
    public String toText() {
        return String.format(Locale.ROOT, "%04x:%06x:%06x:%s", lid, qpn, psn, gid.toHex());
    }

    /** {@return the text with its zero byte} */
    public byte[] toWire() {
        return (toText() + '\0').getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Parses the text.
     *
     * @throws ToolException if it is not an address
     */
    public static Address parse(String text) {
        Matcher m = TEXT.matcher(text);
        if (!m.matches()) {
            throw ToolException.failed("the peer sent '" + printable(text)
                    + "' instead of an address: is the program at the other end a ping-pong of the same type?");
        }
        return new Address(hex(m.group(1)), hex(m.group(2)), hex(m.group(3)), Gid.parseHex(m.group(4)));
    }

    /**
     * Parses the text with its zero byte.
     *
     * @param bytes {@link #WIRE_LENGTH} bytes
     * @throws ToolException if they are not an address
     */
    public static Address fromWire(byte[] bytes) {
        int end = bytes.length - 1;
        String text = new String(bytes, 0, Math.max(0, end), StandardCharsets.ISO_8859_1);
        return parse(end >= 0 && bytes[end] == 0 ? text : text + "...");
    }

    private static int hex(String digits) {
        return Integer.parseInt(digits, 16);
    }

    private static String printable(String text) {
        return text.chars()
                .limit(60)
                .collect(
                        StringBuilder::new,
                        (s, c) -> s.append(c >= ' ' && c < 127 ? (char) c : '.'),
                        StringBuilder::append)
                .toString();
    }
}
