/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.util.Arrays;

/**
 * A specification of a {@link Flow} that filters packets: the bits of a header that the mask selects must equal the
 * value.
 *
 * <p>Values and masks have the layout of C's structs, with numbers in network byte order. A later level may append to
 * them: a callee that knows fewer bytes fails with EOPNOTSUPP unless the mask is 0 in the others. Since level 4.
 * Source: {@code ibv_create_flow(3)}. Not thread-safe.
 */
public abstract class FlowFilter extends FlowSpec {
    private final byte[] value;
    private final byte[] mask;
    private boolean inner;

    /** Creates a filter; for the filters of the header. */
    FlowFilter(int type, int size) {
        super(type);
        value = new byte[size];
        mask = new byte[size];
    }

    /** {@return the type, a {@link FlowSpecType} value, with the bit {@link FlowSpecType#INNER} if that is set} */
    @Override
    public final int type() {
        return inner ? super.type() | FlowSpecType.INNER : super.type();
    }

    /** {@return whether it applies to the packet inside a tunnel} */
    public final boolean isInner() {
        return inner;
    }

    final void setInner(boolean newInner) {
        inner = newInner;
    }

    /** {@return the number of bytes in the value, and in the mask} */
    public final int size() {
        return value.length;
    }

    /** {@return a copy of the value} */
    public final byte[] value() {
        return value.clone();
    }

    /** {@return a copy of the mask, the bits of the value that must match} */
    public final byte[] mask() {
        return mask.clone();
    }

    final void number(String name, int offset, int length, int newValue, int newMask) {
        long most = (1L << 8 * length) - 1;
        if (length < Integer.BYTES && (newValue < 0 || newValue > most || newMask < 0 || newMask > most)) {
            throw new IllegalArgumentException(name + " is " + newValue + " with mask 0x" + Integer.toHexString(newMask)
                    + "; both must be 0 to " + most);
        }
        for (int i = 0; i < length; i++) {
            value[offset + i] = (byte) (newValue >>> 8 * (length - 1 - i));
            mask[offset + i] = (byte) (newMask >>> 8 * (length - 1 - i));
        }
    }

    final int numberOfValue(int offset, int length) {
        return number(value, offset, length);
    }

    final int numberOfMask(int offset, int length) {
        return number(mask, offset, length);
    }

    private static int number(byte[] bytes, int offset, int length) {
        int number = 0;
        for (int i = 0; i < length; i++) {
            number = number << 8 | bytes[offset + i] & 0xff;
        }
        return number;
    }

    final void bytes(String name, int offset, int length, byte[] newValue, byte[] newMask) {
        if (newValue.length != length || newMask.length != length) {
            throw new IllegalArgumentException(name + " has " + newValue.length + " bytes and its mask "
                    + newMask.length + "; both must have " + length);
        }
        System.arraycopy(newValue, 0, value, offset, length);
        System.arraycopy(newMask, 0, mask, offset, length);
    }

    final byte[] bytesOfValue(int offset, int length) {
        return Arrays.copyOfRange(value, offset, offset + length);
    }

    final byte[] bytesOfMask(int offset, int length) {
        return Arrays.copyOfRange(mask, offset, offset + length);
    }

    /** Returns a mask of all bits. */
    static byte[] all(int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) 0xff);
        return bytes;
    }

    @Override
    public final String toString() {
        StringBuilder text = new StringBuilder(FlowSpecType.toString(type()));
        for (int i = 0; i < mask.length; i++) {
            text.append(i == 0 ? " " : "").append(mask[i] == 0 ? ".." : String.format("%02x", value[i] & mask[i]));
        }
        return text.toString();
    }
}
