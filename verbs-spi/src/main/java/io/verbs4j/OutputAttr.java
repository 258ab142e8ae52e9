/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Attributes that an extended verb fills, in a form that can grow.
 *
 * <p>A field is identified by its index, which never changes. The caller passes how many fields it knows: its size. The
 * callee offers what it has, and fields beyond the size are dropped, so a new callee cannot pass an old caller a field
 * that it does not expect. Fields that the callee does not know stay unfilled, and the mask says so.
 *
 * <pre>
 *   index     0 | 1 | 2 | 3 | 4          size (caller) 5
 *   filled    x | x | x |   |            by a callee that knows 3
 * </pre>
 *
 * <p><strong>Reserved names:</strong> a subclass outside the header declares no methods except private ones and
 * overrides of the header's, as explained at {@link VerbsObject}.
 *
 * <p>Since level 2; its shape is frozen. Source: {@code attr_size} of {@code ibv_query_device_ex(3)}. Not thread-safe.
 */
public class OutputAttr {
    private final Object[] fields;

    /** The type of each field; null if not specified. */
    private final Class<?>[] types;

    private long compMask;
    private long compMask2;

    /**
     * Creates an instance with no field filled.
     *
     * @param size number of fields that the caller knows, 0 to 128
     */
    protected OutputAttr(int size) {
        if (size < 0 || size > 2 * Long.SIZE) {
            throw new IllegalArgumentException("size is " + size + "; it must be 0 to 128");
        }
        fields = new Object[size];
        types = null;
    }

    /** Creates an instance of the header's own classes, with the type of each field, by its index. */
    OutputAttr(Class<?>[] types) {
        fields = new Object[types.length];
        this.types = types;
    }

    /** {@return the number of fields that the caller knows} */
    public final int size() {
        return fields.length;
    }

    /** {@return which of the first 64 fields are filled: bit <i>i</i> for the field with index <i>i</i>} */
    public final long compMask() {
        return compMask;
    }

    /**
     * {@return which of the fields from the 64th on are filled: bit <i>i</i> for the field with index 64 + <i>i</i>}
     */
    public final long compMask2() {
        return compMask2;
    }

    /**
     * Returns whether a field is filled.
     *
     * @param index index of the field
     * @return whether it is; false also beyond the size
     */
    public final boolean has(int index) {
        return index >= 0 && index < fields.length && ((index < Long.SIZE ? compMask : compMask2) & 1L << index) != 0;
    }

    /**
     * Fills a field if the caller knows it; for callees.
     *
     * @param index index of the field
     * @param value the value, of the type that the field's accessor returns: a {@code Long} for {@code long}, an
     *     {@code Integer} for {@code int}
     * @return false if the caller does not know the field: nothing was done
     * @throws IllegalArgumentException if the value is of another type, or null
     */
    public final boolean offer(int index, Object value) {
        if (index < 0 || index >= fields.length) {
            return false;
        }
        if (types != null && !types[index].isInstance(value)) {
            throw new IllegalArgumentException(
                    "field " + index + " of " + getClass().getSimpleName() + " takes "
                            + types[index].getSimpleName() + ", not "
                            + (value == null ? "null" : value.getClass().getSimpleName())
                            + ": pass the type that its reader returns");
        }
        fields[index] = value;
        if (index < Long.SIZE) {
            compMask |= 1L << index;
        } else {
            compMask2 |= 1L << index; // a shift uses only the lower six bits of the index
        }
        return true;
    }

    /**
     * Returns the value of a field; for subclasses, which know its type.
     *
     * @param index index of the field
     * @param absent the result if it is not filled
     * @return the value, or {@code absent}
     */
    protected final Object field(int index, Object absent) {
        return has(index) ? fields[index] : absent;
    }
}
