/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.connect;

import io.verbs4j.bulk.control.Hello;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * A message of the TCP connection through which two endpoints connect their queue pairs. The connecting side sends a
 * REQUEST. The other side answers with REPLY or REJECT, or with DATAGRAMS if its device supports nothing else; the
 * first side then connects again with a datagram queue pair. After a REPLY the connecting side sends READY, and both
 * may send from then on. Messages of later versions may be longer; bytes that this version does not know are ignored.
 *
 * @param kind a constant of this class
 * @param address the sender's queue pair, in a REQUEST or a REPLY
 * @param hello the sender's hello to the peer's transport, in a REQUEST or a REPLY
 * @param reason the reason of a REJECT
 */
record TcpMessage(int kind, QueuePairAddress address, ByteBuffer hello, String reason) {
    static final int REQUEST = 1;
    static final int REPLY = 2;
    static final int REJECT = 3;
    static final int READY = 4;
    static final int DATAGRAMS = 5;

    /** Size of the common header: magic, length of the message, kind, version. */
    static final int HEADER = 8;

    /** Maximum size of a message. */
    static final int MAX = 512;

    private static final int MAGIC = 0x4354_4256; // "VBTC" in wire byte order
    private static final int VERSION = 1;
    private static final int AT_LENGTH = 4;
    private static final int AT_KIND = 6;
    private static final int AT_VERSION = 7;
    private static final int BYTE = 0xff;

    static TcpMessage of(int kind, QueuePairAddress address, Hello hello) {
        return new TcpMessage(kind, address, ByteBuffer.wrap(hello.encode()), null);
    }

    static TcpMessage reject(String reason) {
        return new TcpMessage(REJECT, null, null, reason);
    }

    static TcpMessage ready() {
        return new TcpMessage(READY, null, null, null);
    }

    static TcpMessage datagrams() {
        return new TcpMessage(DATAGRAMS, null, null, null);
    }

    /** {@return the bytes, from position to limit} */
    ByteBuffer encode() {
        ByteBuffer bytes =
                ByteBuffer.allocate(MAX).order(ByteOrder.LITTLE_ENDIAN).position(HEADER);
        if (address != null) {
            address.encode(bytes);
            bytes.put(hello.duplicate());
        }
        if (reason != null) {
            byte[] text = reason.getBytes(StandardCharsets.UTF_8);
            bytes.put(text, 0, Math.min(text.length, bytes.remaining()));
        }
        return bytes.flip()
                .putInt(0, MAGIC)
                .putShort(AT_LENGTH, (short) bytes.limit())
                .put(AT_KIND, (byte) kind)
                .put(AT_VERSION, (byte) VERSION);
    }

    /**
     * Returns why the bytes cannot be the beginning of a message, or null.
     *
     * @param bytes little-endian; the bytes received so far precede the position
     */
    static String refusal(ByteBuffer bytes) {
        for (int i = 0; i < Math.min(bytes.position(), Integer.BYTES); i++) {
            if (bytes.get(i) != (byte) (MAGIC >>> i * Byte.SIZE)) {
                return "it does not speak the protocol of bulk endpoints; its first bytes are " + printable(bytes);
            }
        }
        if (bytes.position() < HEADER) {
            return null;
        }
        int length = length(bytes);
        int kind = bytes.get(AT_KIND);
        int least = switch (kind) {
            case REQUEST, REPLY -> HEADER + QueuePairAddress.SIZE + Hello.SIZE;
            default -> HEADER;
        };
        if (length < least || length > MAX) {
            return "its message of kind " + kind + " has " + length + " bytes, not " + least + " to " + MAX;
        }
        return (bytes.get(AT_VERSION) & BYTE) < VERSION ? "its messages are of version 0" : null;
    }

    private static String printable(ByteBuffer bytes) {
        StringBuilder text = new StringBuilder("\"");
        for (int i = 0; i < Math.min(bytes.position(), HEADER); i++) {
            char c = (char) (bytes.get(i) & BYTE);
            text.append(c >= ' ' && c <= '~' ? c : '.');
        }
        return text.append('"').toString();
    }

    /** Returns how many bytes the current message still lacks. Only valid without a {@link #refusal}. */
    static int missing(ByteBuffer bytes) {
        return (bytes.position() < HEADER ? HEADER : length(bytes)) - bytes.position();
    }

    private static int length(ByteBuffer bytes) {
        return bytes.getShort(AT_LENGTH) & 0xffff;
    }

    /** {@return the message whose bytes precede the position} Only valid if none are {@link #missing}. */
    static TcpMessage decode(ByteBuffer bytes) {
        ByteBuffer rest =
                bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN).flip().position(HEADER);
        int kind = bytes.get(AT_KIND);
        return switch (kind) {
            case REQUEST, REPLY -> {
                QueuePairAddress address = QueuePairAddress.decode(rest);
                yield new TcpMessage(kind, address, ByteBuffer.wrap(remaining(rest)), null);
            }
            case REJECT -> reject(new String(remaining(rest), StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", "?"));
            default -> new TcpMessage(kind, null, null, null);
        };
    }

    /** {@return the sender's hello to the peer's transport} */
    byte[] helloBytes() {
        return remaining(hello.duplicate());
    }

    private static byte[] remaining(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        return copy;
    }
}
