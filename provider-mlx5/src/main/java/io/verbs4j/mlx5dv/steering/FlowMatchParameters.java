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
 * Header fields in the device's form. In the mask of a matcher they select the bits to compare; in a rule they are the
 * value that those bits must have.
 *
 * <p>The parameters are as long as their last field needs, in parts of 64 bytes. Matchers and rules copy them, so a
 * program can change and reuse an instance. Not thread-safe. Source: {@code struct mlx5dv_flow_match_parameters},
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
    /** The maximum length in bytes. */
    public static final int MAX_LENGTH = 1024;

    static final String VERB = "mlx5dv_flow_match_parameters";

    private static final int PART_BYTES = MatchField.PART / Byte.SIZE;
    private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private byte[] bytes = new byte[PART_BYTES];

    /** Creates parameters of which no bit is set. */
    public FlowMatchParameters() {}

    /**
     * Creates parameters from bytes in the device's form.
     *
     * @param raw the bytes to copy: a multiple of 8, up to {@link #MAX_LENGTH}
     * @throws VerbsException {@link Errno#EINVAL} for null and any other length
     */
    public FlowMatchParameters(byte[] raw) {
        if (raw == null || raw.length == 0 || raw.length > MAX_LENGTH || raw.length % Long.BYTES != 0) {
            throw invalid("raw has " + (raw == null ? "no" : raw.length) + " bytes; pass a multiple of 8, up to "
                    + MAX_LENGTH);
        }
        bytes = raw.clone();
    }

    private static VerbsException invalid(String what) {
        return new VerbsException(Errno.EINVAL, VERB, what);
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
     * Sets all bits to zero and keeps the length.
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
     * @param value value to write, unsigned
     * @return this
     * @throws VerbsException {@link Errno#EINVAL} if the field is wider, or the value does not fit
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
            int below = 8 * (last + 1) - at; // bits of this byte after the field
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
     * @throws VerbsException {@link Errno#EINVAL} for null, and if the field does not have that many bytes
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
     * @return its value, unsigned if the field is narrower than 64 bits; 0 if the field lies beyond the end
     * @throws VerbsException {@link Errno#EINVAL} if the field is wider
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
            throw invalid(field + " has " + field.width() + " bits; put it as bytes, and read it from toBytes");
        }
        return field.width();
    }

    private void reach(MatchField field) {
        int wanted = (field.bit() / MatchField.PART + 1) * PART_BYTES;
        if (wanted > MAX_LENGTH) {
            throw invalid(field + " lies beyond the maximum length in bytes, " + MAX_LENGTH);
        }
        if (wanted > bytes.length) {
            bytes = Arrays.copyOf(bytes, wanted);
        }
    }

    /** {@return the parts in which a bit is set, {@link MatchCriteria} bits} */
    public int criteria() {
        int parts = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] != 0) {
                parts |= 1 << i / PART_BYTES;
            }
        }
        return parts;
    }

    /** Writes the bytes, padded with zeros to a length that is a multiple of 8. */
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
