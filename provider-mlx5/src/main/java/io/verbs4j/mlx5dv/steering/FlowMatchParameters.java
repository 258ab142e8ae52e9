/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.memory.NativeMemory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Fields of headers, as the device has them: the mask of a matcher says which bits count, the value of a rule what they
 * must be. It is as long as its last field needs, in parts of 64 bytes. A program may change and use it again; what is
 * made of it keeps a copy. To be used by one thread at a time. Source: {@code struct mlx5dv_flow_match_parameters},
 * mlx5dv_create_flow_matcher(3).
 *
 * <pre>{@code
 * FlowMatchParameters mask = new FlowMatchParameters().fill(OuterFields.DMAC).fill(OuterFields.UDP_DPORT);
 * FlowMatchParameters value = new FlowMatchParameters()
 *         .put(OuterFields.DMAC, 0x02_00_00_00_00_09L)
 *         .put(OuterFields.UDP_DPORT, 4000);
 * }</pre>
 */
public final class FlowMatchParameters {
    /** The most bytes that there may be. */
    public static final int MAX_LENGTH = 1024;

    static final String VERB = "mlx5dv_flow_match_parameters";

    private static final int PART_BYTES = MatchField.PART / Byte.SIZE;
    private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private byte[] bytes = new byte[PART_BYTES];

    /** No bit is set. */
    public FlowMatchParameters() {}

    /**
     * Bytes in the device's form.
     *
     * @param raw what is copied: a multiple of 8 bytes, up to {@link #MAX_LENGTH}
     * @throws VerbsException {@link Errno#EINVAL} for null and any other length
     */
    public FlowMatchParameters(byte[] raw) {
        if (raw == null || raw.length == 0 || raw.length > MAX_LENGTH || raw.length % Long.BYTES != 0) {
            throw invalid("raw has " + (raw == null ? "no" : raw.length) + " bytes; it has a multiple of 8, up to "
                    + MAX_LENGTH);
        }
        bytes = raw.clone();
    }

    private static VerbsException invalid(String what) {
        return new VerbsException(Errno.EINVAL, VERB, what);
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
     * Sets all bits to zero. The length stays.
     *
     * @return this
     */
    public FlowMatchParameters clear() {
        Arrays.fill(bytes, (byte) 0);
        return this;
    }

    /**
     * Writes a field.
     *
     * @param field a field of up to 64 bits
     * @param value what to write, without sign
     * @return this
     * @throws VerbsException {@link Errno#EINVAL} where the field is wider, or the value does not fit
     */
    public FlowMatchParameters put(MatchField field, long value) {
        int width = narrow(field);
        if (width < Long.SIZE && value >>> width != 0) {
            throw invalid(String.format("0x%x does not fit into the %d bits of %s", value, width, field));
        }
        reach(field);
        long rest = value;
        int at = field.bit() + width;
        while (at > field.bit()) { // byte by byte, from the last
            int last = (at - 1) >> 3;
            int below = 8 * (last + 1) - at; // bits of this byte behind the field
            int n = Math.min(at - field.bit(), 8 - below);
            int mask = (1 << n) - 1;
            bytes[last] = (byte) (bytes[last] & ~(mask << below) | ((int) rest & mask) << below);
            rest >>>= n;
            at -= n;
        }
        return this;
    }

    /**
     * Writes a field of whole bytes, such as an address.
     *
     * @param field a field that begins at a byte
     * @param value as many bytes as the field has
     * @return this
     * @throws VerbsException {@link Errno#EINVAL} for null, and where the field is not of that many bytes
     */
    public FlowMatchParameters put(MatchField field, byte[] value) {
        if (value == null || field.bit() % Byte.SIZE != 0 || field.width() != value.length * Byte.SIZE) {
            throw invalid(field + " has " + field.width() + " bits, and the value has "
                    + (value == null ? "no" : value.length) + " bytes; pass as many as the field has");
        }
        reach(field);
        System.arraycopy(value, 0, bytes, field.bit() / Byte.SIZE, value.length);
        return this;
    }

    /**
     * Sets all bits of a field, for masks.
     *
     * @param field any field
     * @return this
     */
    public FlowMatchParameters fill(MatchField field) {
        if (field.width() <= Long.SIZE) {
            return put(field, -1L >>> Long.SIZE - field.width());
        }
        byte[] ones = new byte[field.width() / Byte.SIZE];
        Arrays.fill(ones, (byte) 0xff);
        return put(field, ones);
    }

    /**
     * Reads a field.
     *
     * @param field a field of up to 64 bits
     * @return its value, without sign where it is narrower than 64 bits; 0 where it is beyond the end
     * @throws VerbsException {@link Errno#EINVAL} where the field is wider
     */
    public long get(MatchField field) {
        int end = field.bit() + narrow(field);
        if (end > bytes.length * Byte.SIZE) {
            return 0;
        }
        long value = 0;
        int at = field.bit();
        while (at < end) {
            int n = Math.min(end - at, 8 - (at & 7));
            int shifted = (bytes[at >> 3] & 0xff) >> 8 - (at & 7) - n;
            value = value << n | shifted & (1 << n) - 1;
            at += n;
        }
        return value;
    }

    private static int narrow(MatchField field) {
        if (field.width() > Long.SIZE) {
            throw invalid(field + " has " + field.width() + " bits; put bytes, and read it from toBytes");
        }
        return field.width();
    }

    private void reach(MatchField field) {
        int wanted = (field.bit() / MatchField.PART + 1) * PART_BYTES;
        if (wanted > MAX_LENGTH) {
            throw invalid(field + " lies behind the most bytes that there may be, " + MAX_LENGTH);
        }
        if (wanted > bytes.length) {
            bytes = Arrays.copyOf(bytes, wanted);
        }
    }

    /**
     * Which parts have a bit that is set.
     *
     * @return {@link MatchCriteria} bits
     */
    public int criteria() {
        int parts = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] != 0) {
                parts |= 1 << i / PART_BYTES;
            }
        }
        return parts;
    }

    /** Writes the bytes, and zeros up to a length that is a multiple of 8. */
    void write(long address, int length) {
        for (int i = 0; i < bytes.length; i += Long.BYTES) {
            NativeMemory.putLong(address + i, (long) WORDS.get(bytes, i));
        }
        if (length > bytes.length) {
            NativeMemory.clear(address + bytes.length, length - bytes.length);
        }
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("match parameters of " + bytes.length + " bytes");
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] != 0) {
                text.append(String.format(" %x:%02x", i, bytes[i]));
            }
        }
        return text.toString();
    }
}
