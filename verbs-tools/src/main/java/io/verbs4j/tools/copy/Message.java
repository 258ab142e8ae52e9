/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.copy;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A message between sender and receiver: a kind, then its fields, big-endian. A text is its length in bytes as a 16-bit
 * number, then its UTF-8.
 */
sealed interface Message {
    /** The version of these messages. */
    int VERSION = 1;

    /** The bytes {@code vcpy}. */
    int MAGIC = 0x76637079;

    /** The first message of a sender. Its identifier stays the same after each reconnection. */
    record Hello(int version, long copyId, int blockBytes) implements Message {}

    /** The receiver's answer: the window to put blocks to, and how many blocks fit into it. */
    record Welcome(long window, int slots) implements Message {}

    /** A file and its destination: the path that the user gave, empty for none, and the file's own name. */
    record Offer(String path, String name, long size, long mtimeNanos, int mode) implements Message {}

    /** What the receiver has of the file: bytes from its start, possibly all of it; and why it is not more. */
    record Start(long bytes, boolean finished, String why) implements Message {}

    /** The checksum of these bytes, up to the first bad block. */
    @SuppressWarnings("ArrayRecordComponent") // equals compares the contents
    record Prefix(long bytes, byte[] sha256) implements Message {
        @Override
        public boolean equals(Object other) {
            return other instanceof Prefix p && p.bytes == bytes && Arrays.equals(p.sha256, sha256);
        }

        @Override
        public int hashCode() {
            return Long.hashCode(bytes) + Arrays.hashCode(sha256);
        }
    }

    /** The sender continues from this byte. */
    record Go(long from) implements Message {}

    /** A block is in its slot, or is all zeros and was not transferred. */
    record Block(int slot, long index, int crc, boolean zeros) implements Message {}

    /** The receiver has written the block. */
    record Ack(int slot, long index) implements Message {}

    /** All blocks were acknowledged; the checksum of the whole file. */
    @SuppressWarnings("ArrayRecordComponent") // equals compares the contents
    record End(byte[] sha256) implements Message {
        @Override
        public boolean equals(Object other) {
            return other instanceof End e && Arrays.equals(e.sha256, sha256);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(sha256);
        }
    }

    /** The file is complete and has its name. */
    record Done() implements Message {}

    /** The file can't be received, or receiving it failed. */
    record Failed(String text) implements Message {}

    /** The sender gives the file up: what was transferred of it is worthless. */
    record Abandon(String text) implements Message {}

    /** The receiver can't serve this sender, or this file, now. */
    record Busy(String text) implements Message {}

    /** The sender has no more files. */
    record Bye() implements Message {}

    /** Empty; shows whether the peer is alive. */
    record Ping() implements Message {}

    /** Writes the message at the buffer's position. */
    default void write(ByteBuffer to) {
        if (this instanceof Hello m) {
            to.put((byte) 1).putInt(MAGIC).putInt(m.version).putLong(m.copyId).putInt(m.blockBytes);
        } else if (this instanceof Welcome m) {
            to.put((byte) 2).putLong(m.window).putInt(m.slots);
        } else if (this instanceof Offer m) {
            to.put((byte) 3).putLong(m.size).putLong(m.mtimeNanos).putInt(m.mode);
            text(to, m.path, CopySizes.PATH);
            text(to, m.name, CopySizes.PATH);
        } else if (this instanceof Start m) {
            to.put((byte) 4).putLong(m.bytes).put((byte) (m.finished ? 1 : 0));
            text(to, m.why, CopySizes.TEXT);
        } else if (this instanceof Prefix m) {
            to.put((byte) 5).putLong(m.bytes).put(m.sha256);
        } else if (this instanceof Go m) {
            to.put((byte) 6).putLong(m.from);
        } else if (this instanceof Block m) {
            to.put((byte) 7).putInt(m.slot).putLong(m.index).putInt(m.crc).put((byte) (m.zeros ? 1 : 0));
        } else if (this instanceof Ack m) {
            to.put((byte) 8).putInt(m.slot).putLong(m.index);
        } else if (this instanceof End m) {
            to.put((byte) 9).put(m.sha256);
        } else if (this instanceof Done) {
            to.put((byte) 10);
        } else if (this instanceof Failed m) {
            text(to.put((byte) 11), m.text, CopySizes.TEXT);
        } else if (this instanceof Abandon m) {
            text(to.put((byte) 12), m.text, CopySizes.TEXT);
        } else if (this instanceof Busy m) {
            text(to.put((byte) 13), m.text, CopySizes.TEXT);
        } else if (this instanceof Bye) {
            to.put((byte) 14);
        } else {
            to.put((byte) 15);
        }
    }

    /**
     * Reads a message.
     *
     * @throws ConnectionLost if it is not a valid message
     */
    static Message read(ByteBuffer from) throws ConnectionLost {
        try {
            Message message = fields(from);
            if (message != null && !from.hasRemaining()) {
                return message;
            }
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            throw new ConnectionLost("the peer sent a message that this program does not understand", e);
        }
        throw new ConnectionLost("the peer sent a message that this program does not understand");
    }

    private static Message fields(ByteBuffer from) {
        return switch (from.get()) {
            case 1 -> from.getInt() == MAGIC ? new Hello(from.getInt(), from.getLong(), from.getInt()) : null;
            case 2 -> new Welcome(from.getLong(), from.getInt());
            case 3 -> offer(from);
            case 4 -> new Start(from.getLong(), from.get() != 0, text(from));
            case 5 -> new Prefix(from.getLong(), sum(from));
            case 6 -> new Go(from.getLong());
            case 7 -> new Block(from.getInt(), from.getLong(), from.getInt(), from.get() != 0);
            case 8 -> new Ack(from.getInt(), from.getLong());
            case 9 -> new End(sum(from));
            case 10 -> new Done();
            case 11 -> new Failed(text(from));
            case 12 -> new Abandon(text(from));
            case 13 -> new Busy(text(from));
            case 14 -> new Bye();
            case 15 -> new Ping();
            default -> null;
        };
    }

    private static Offer offer(ByteBuffer from) {
        long size = from.getLong();
        long mtimeNanos = from.getLong();
        int mode = from.getInt();
        return new Offer(text(from), text(from), size, mtimeNanos, mode);
    }

    private static byte[] sum(ByteBuffer from) {
        byte[] sum = new byte[32];
        from.get(sum);
        return sum;
    }

    private static String text(ByteBuffer from) {
        int length = from.getShort();
        if (length < 0 || length > from.remaining()) {
            throw new IllegalArgumentException("invalid text of " + length + " bytes");
        }
        byte[] bytes = new byte[length];
        from.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Writes a text, and cuts it if it is too long. Only texts for people can be: paths were checked. */
    private static void text(ByteBuffer to, String text, int most) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, most);
        to.putShort((short) length).put(bytes, 0, length);
    }
}
