/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Changes that an action makes to packet headers: a sequence of changes, of 8 bytes each in the device's form. Not
 * thread-safe. Source: mlx5dv_create_flow_action_modify_header(3).
 */
public final class HeaderChanges {
    private static final String VERB = "header_changes";
    private static final int SET = 1;
    private static final int ADD = 2;
    private static final int COPY = 3;
    private static final int MAX_FIELD = 0xfff;
    private static final int MAX_BIT = 31;

    private byte[] bytes = new byte[0];

    /** Creates an empty sequence. */
    public HeaderChanges() {}

    /**
     * Appends a change that sets bits of a field.
     *
     * @param field a {@link ModifyField} value
     * @param offset the lowest of the bits, 0 to 31
     * @param length number of bits, 1 to 32
     * @param data new value of the bits
     * @return this
     * @throws VerbsException {@link Errno#EINVAL} for numbers out of range, and data that do not fit
     */
    public HeaderChanges set(int field, int offset, int length, int data) {
        requireBits(offset, length);
        if (length < Integer.SIZE && data >>> length != 0) {
            throw invalid(String.format("0x%x does not fit into %d bits", data, length));
        }
        return raw(head(SET, field, offset, length) | data & 0xffff_ffffL);
    }

    /**
     * Appends a change that adds to a field.
     *
     * @param field a {@link ModifyField} value
     * @param data the addend; {@code -1} decrements the field
     * @return this
     * @throws VerbsException {@link Errno#EINVAL} for a field out of range
     */
    public HeaderChanges add(int field, int data) {
        return raw(head(ADD, field, 0, 0) | data & 0xffff_ffffL);
    }

    /**
     * Appends a change that copies bits of one field to another.
     *
     * @param from a {@link ModifyField} value
     * @param fromOffset the lowest of the bits in the source, 0 to 31
     * @param length number of bits, 1 to 32
     * @param to a {@link ModifyField} value
     * @param toOffset the lowest of the bits in the destination, 0 to 31
     * @return this
     * @throws VerbsException {@link Errno#EINVAL} for numbers out of range
     */
    public HeaderChanges copy(int from, int fromOffset, int length, int to, int toOffset) {
        requireBits(fromOffset, length);
        requireBits(toOffset, length);
        return raw(head(COPY, from, fromOffset, length) | (long) field(to) << 16 | (long) toOffset << 8);
    }

    /**
     * Appends a change in the device's form.
     *
     * @param change 8 bytes, the first one in the highest byte
     * @return this
     */
    public HeaderChanges raw(long change) {
        bytes = ByteBuffer.wrap(Arrays.copyOf(bytes, bytes.length + Long.BYTES))
                .putLong(bytes.length, change)
                .array();
        return this;
    }

    private static long head(int type, int field, int offset, int length) {
        return (long) type << 60 | (long) field(field) << 48 | (long) offset << 40 | (long) (length & MAX_BIT) << 32;
    }

    private static int field(int field) {
        if (field < 0 || field > MAX_FIELD) {
            throw invalid("field is " + field + ", but must be 0 to " + MAX_FIELD);
        }
        return field;
    }

    private static void requireBits(int offset, int length) {
        if (offset < 0 || length < 1 || offset + length > Integer.SIZE) {
            throw invalid(length + " bits from bit " + offset + "; they must lie within 32 bits");
        }
    }

    private static VerbsException invalid(String what) {
        return new VerbsException(Errno.EINVAL, VERB, what);
    }

    /** {@return the length in bytes, 8 for each change} */
    public int length() {
        return bytes.length;
    }

    /** {@return a copy of the changes, in the device's form} */
    public byte[] toBytes() {
        return bytes.clone();
    }
}
