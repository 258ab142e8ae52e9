/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.memory.NativeMemory;
import java.util.Arrays;

/**
 * The input or the output of a DevX command: bytes with fields in them, as the programmer's reference counts these: in bits from
 * the start, the most significant bit of the first byte first. What {@code DEVX_SET} and {@code DEVX_GET} are in C.
 *
 * <pre>{@code
 * Mailbox in = new Mailbox(32).opcode(DevxOpcode.QUERY_FLOW_COUNTER).put(0xe0, 32, counterId);
 * }</pre>
 *
 * <p>Its bytes are Java's: a mailbox can be kept, used again and forgotten; a command copies them. To be used by one thread at a
 * time.
 */
public final class Mailbox {
    /** The least that a mailbox holds, in bytes: the header, of an input or an output. */
    public static final int HEADER_LENGTH = 16;

    /** The most that a mailbox holds, in bytes: an attribute of the kernel's interface has no room for more. */
    public static final int MAX_LENGTH = 0xffff;

    private final byte[] bytes;

    /**
     * Makes a mailbox, all zero.
     *
     * @param length in bytes, from {@link #HEADER_LENGTH} to {@link #MAX_LENGTH}
     * @throws VerbsException {@link Errno#EINVAL} for a length out of that range
     */
    public Mailbox(int length) {
        this.bytes = new byte[checkLength("mailbox", length)];
    }

    /**
     * Makes a mailbox of the bytes of another.
     *
     * @param bytes what is copied, from {@link #HEADER_LENGTH} to {@link #MAX_LENGTH} bytes
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
                    "a mailbox of " + length + " bytes; it has " + HEADER_LENGTH + " to " + MAX_LENGTH);
        }
        return length;
    }

    /**
     * How long it is.
     *
     * @return in bytes
     */
    public int length() {
        return bytes.length;
    }

    /**
     * Its bytes.
     *
     * @return a copy
     */
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
     * @param bit where it begins, in bits
     * @param width how wide it is: 1 to 64 bits
     * @param value what to write, as an unsigned number of that width
     * @return this
     * @throws VerbsException {@link Errno#EINVAL} where the field is not in the mailbox, or the value not in the field; the mailbox
     *     is then as it was
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
            int below = 8 * (last + 1) - at; // bits of this byte behind the field
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
     * @param bit where it begins, in bits
     * @param width how wide it is: 1 to 64 bits
     * @return its value, without sign where it is narrower than 64 bits
     * @throws VerbsException {@link Errno#EINVAL} where the field is not in the mailbox
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
     * Reads a field that is narrow enough for an {@code int}.
     *
     * @param bit where it begins, in bits
     * @param width how wide it is: 1 to 32 bits
     * @return its value, without sign where it is narrower than 32 bits
     * @throws VerbsException {@link Errno#EINVAL} where the field is not in the mailbox, or is wider
     */
    public int getInt(int bit, int width) {
        if (width > Integer.SIZE) {
            throw new VerbsException(Errno.EINVAL, "mailbox", "a field of " + width + " bits is no int; use get");
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
     * Writes which command it is, into the header of an input.
     *
     * @param opcode such as {@link DevxOpcode#CREATE_MKEY}, 0 to 0xffff
     * @return this
     * @throws VerbsException {@link Errno#EINVAL} for another number
     */
    public Mailbox opcode(int opcode) {
        return put(0, 16, opcode);
    }

    /**
     * Which command it is, from the header of an input.
     *
     * @return a {@link DevxOpcode} value
     */
    public int opcode() {
        return getInt(0, 16);
    }

    /**
     * Writes the modifier of the command, into the header of an input.
     *
     * @param opMod 0 to 0xffff; of general objects it is the type
     * @return this
     * @throws VerbsException {@link Errno#EINVAL} for another number
     */
    public Mailbox opMod(int opMod) {
        return put(0x30, 16, opMod);
    }

    /**
     * What the device made of the command, from the header of an output.
     *
     * @return a {@link DevxStatus} value
     */
    public int status() {
        return getInt(0, 8);
    }

    /**
     * Why the device refused the command, from the header of an output.
     *
     * @return a number that the vendor can explain; 0 where there was nothing to complain of
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
