/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.memory.NativeMemory;
import java.util.Arrays;

/**
 * The input or the output of a DevX command: bytes with fields. As in the programmer's reference, fields are located by
 * their offset in bits, counted from the most significant bit of the first byte. Corresponds to {@code DEVX_SET} and
 * {@code DEVX_GET} in C.
 *
 * <pre>{@code
 * Mailbox in = new Mailbox(32).opcode(DevxOpcode.QUERY_FLOW_COUNTER).put(0xe0, 32, counterId);
 * }</pre>
 *
 * <p>The bytes are on the Java heap and commands copy them, so a mailbox can be kept, reused or dropped. Not
 * thread-safe.
 */
public final class Mailbox {
    /** The minimum length in bytes: that of the header, of an input or an output. */
    public static final int HEADER_LENGTH = 16;

    /** The maximum length in bytes, which is that of an attribute in the kernel's interface. */
    public static final int MAX_LENGTH = 0xffff;

    private final byte[] bytes;

    /**
     * Creates a mailbox of zeros.
     *
     * @param length number of bytes, {@link #HEADER_LENGTH} to {@link #MAX_LENGTH}
     * @throws VerbsException {@link Errno#EINVAL} for a length out of that range
     */
    public Mailbox(int length) {
        this.bytes = new byte[checkLength("mailbox", length)];
    }

    /**
     * Creates a mailbox with a copy of some bytes.
     *
     * @param bytes the bytes to copy, {@link #HEADER_LENGTH} to {@link #MAX_LENGTH} of them
     * @throws VerbsException {@link Errno#EINVAL} for null, or a length out of that range
     */
    public Mailbox(byte[] bytes) {
        if (bytes == null) {
            throw new VerbsException(Errno.EINVAL, "mailbox", "bytes is null; pass the bytes of a mailbox");
        }
        checkLength("mailbox", bytes.length);
        this.bytes = bytes.clone();
    }

    static int checkLength(String verb, int length) {
        if (length < HEADER_LENGTH || length > MAX_LENGTH) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    "a mailbox can't have " + length + " bytes; it must have " + HEADER_LENGTH + " to " + MAX_LENGTH);
        }
        return length;
    }

    /** {@return the length in bytes} */
    public int length() {
        return bytes.length;
    }

    /** {@return a copy of the bytes} */
    public byte[] toBytes() {
        return bytes.clone();
    }

    /**
     * Sets all bits to zero.
     *
     * @return this
     */
    public Mailbox clear() {
        Arrays.fill(bytes, (byte) 0);
        return this;
    }

    /**
     * Writes a field.
     *
     * @param bit offset of the field in bits
     * @param width width of the field: 1 to 64 bits
     * @param value value to write, as an unsigned number of that width
     * @return this
     * @throws VerbsException {@link Errno#EINVAL} if the field exceeds the mailbox or the value exceeds the field; the
     *     mailbox is then unchanged
     */
    public Mailbox put(int bit, int width, long value) {
        checkField(bit, width);
        if (width < Long.SIZE && value >>> width != 0) {
            throw new VerbsException(
                    Errno.EINVAL,
                    "mailbox",
                    String.format("0x%x does not fit into the %d bits of the field at bit 0x%x", value, width, bit));
        }
        long rest = value;
        int at = bit + width;
        while (at > bit) { // byte by byte, from the last
            int last = (at - 1) >> 3;
            int below = 8 * (last + 1) - at; // bits of this byte after the field
            int n = Math.min(at - bit, 8 - below);
            int mask = (1 << n) - 1;
            bytes[last] = (byte) (bytes[last] & ~(mask << below) | ((int) rest & mask) << below);
            rest >>>= n;
            at -= n;
        }
        return this;
    }

    /**
     * Reads a field.
     *
     * @param bit offset of the field in bits
     * @param width width of the field: 1 to 64 bits
     * @return its value, unsigned if the field is narrower than 64 bits
     * @throws VerbsException {@link Errno#EINVAL} if the field exceeds the mailbox
     */
    public long get(int bit, int width) {
        checkField(bit, width);
        long value = 0;
        int at = bit;
        while (at < bit + width) {
            int n = Math.min(bit + width - at, 8 - (at & 7));
            int shifted = (bytes[at >> 3] & 0xff) >> 8 - (at & 7) - n;
            value = value << n | shifted & (1 << n) - 1;
            at += n;
        }
        return value;
    }

    /**
     * Reads a field of at most 32 bits.
     *
     * @param bit offset of the field in bits
     * @param width width of the field: 1 to 32 bits
     * @return its value, unsigned if the field is narrower than 32 bits
     * @throws VerbsException {@link Errno#EINVAL} if the field exceeds the mailbox or is wider than 32 bits
     */
    public int getInt(int bit, int width) {
        if (width > Integer.SIZE) {
            throw new VerbsException(
                    Errno.EINVAL, "mailbox", "a field of " + width + " bits does not fit an int; use get");
        }
        return (int) get(bit, width);
    }

    private void checkField(int bit, int width) {
        if (width < 1 || width > Long.SIZE || bit < 0 || bit > 8 * bytes.length - width) {
            throw new VerbsException(
                    Errno.EINVAL,
                    "mailbox",
                    String.format(
                            "a field of %d bits at bit 0x%x; fields have 1 to 64 bits, and this mailbox ends at 0x%x",
                            width, bit, 8 * bytes.length));
        }
    }

    /**
     * Sets the command, in the header of an input.
     *
     * @param opcode for instance {@link DevxOpcode#CREATE_MKEY}; 0 to 0xffff
     * @return this
     * @throws VerbsException {@link Errno#EINVAL} for a number out of that range
     */
    public Mailbox opcode(int opcode) {
        return put(0, 16, opcode);
    }

    /**
     * Returns the command, from the header of an input.
     *
     * @return a {@link DevxOpcode} value
     */
    public int opcode() {
        return getInt(0, 16);
    }

    /**
     * Sets the modifier of the command, in the header of an input.
     *
     * @param opMod 0 to 0xffff; for general objects, their type
     * @return this
     * @throws VerbsException {@link Errno#EINVAL} for a number out of that range
     */
    public Mailbox opMod(int opMod) {
        return put(0x30, 16, opMod);
    }

    /**
     * Returns the status of the command, from the header of an output.
     *
     * @return a {@link DevxStatus} value
     */
    public int status() {
        return getInt(0, 8);
    }

    /**
     * Returns the syndrome of a refused command, from the header of an output.
     *
     * @return a vendor-specific number that details the reason; 0 if the command was not refused
     */
    public int syndrome() {
        return getInt(0x20, 32);
    }

    void copyTo(long address) {
        NativeMemory.putBytes(address, bytes);
    }

    Mailbox copyFrom(long address) {
        NativeMemory.getBytes(address, bytes);
        return this;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("mailbox of " + bytes.length + " bytes");
        for (int i = 0; i < bytes.length; i++) {
            if (i % 16 == 0) {
                text.append(String.format("%n  %04x ", i));
            }
            text.append(String.format(i % 4 == 0 ? "  %02x" : " %02x", bytes[i]));
        }
        return text.toString();
    }
}
