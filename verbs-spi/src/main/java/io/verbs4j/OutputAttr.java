/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Attributes that an extended verb fills: how they can grow.
 *
 * <p>A field is known by its index, which never changes. The caller says how many fields it knows: its size. The callee
 * offers what it has; what lies beyond the size is dropped, so a new callee can't hand an old caller what that does not
 * expect. What the callee does not know stays unfilled, and the mask says so.
 *
 * <pre>
 *   index     0 | 1 | 2 | 3 | 4          size (caller) 5
 *   filled    x | x | x |   |            by a callee that knows 3
 * </pre>
 *
 * <p><strong>Reserved names:</strong> a subclass outside the header declares no method but private ones and overrides of the
 * header's, as at {@link VerbsObject}.
 *
 * <p>Since level 2; its shape is frozen. Source: {@code attr_size} of {@code ibv_query_device_ex(3)}. Not thread-safe.
 */
public class OutputAttr {
    private final Object[] fields;

    /** What each field takes; null where that is not told. */
    private final Class<?>[] types;

    private long compMask;
    private long compMask2;

    /**
     * Creates an instance with nothing filled.
     *
     * @param size how many fields the caller knows, 0 to 128
     */
    protected OutputAttr(int size) {
        if (size < 0 || size > 2 * Long.SIZE) {
            throw new IllegalArgumentException("size is " + size + "; it must be 0 to 128");
        }
        fields = new Object[size];
        types = null;
    }

    /** The same for the header's own: with the type of each field, by its index. */
    OutputAttr(Class<?>[] types) {
        fields = new Object[types.length];
        this.types = types;
    }

    /**
     * How many fields the caller knows.
     *
     * @return the number
     */
    public final int size() {
        return fields.length;
    }

    /**
     * Which of the first 64 fields were filled.
     *
     * @return bit <i>i</i> for the field of index <i>i</i>
     */
    public final long compMask() {
        return compMask;
    }

    /**
     * Which of the fields from the 64th on were filled.
     *
     * @return bit <i>i</i> for the field of index 64 + <i>i</i>
     */
    public final long compMask2() {
        return compMask2;
    }

    /**
     * Whether a field was filled.
     *
     * @param index index of the field
     * @return false also beyond the size
     */
    public final boolean has(int index) {
        return index >= 0 && index < fields.length && ((index < Long.SIZE ? compMask : compMask2) & 1L << index) != 0;
    }

    /**
     * Fills a field that the caller knows; for callees.
     *
     * @param index index of the field
     * @param value what to put there, of the type that the method which reads the field returns: a {@code Long} where
     *     that is {@code long}, an {@code Integer} where it is {@code int}
     * @return false where the caller does not know the field: nothing was done
     * @throws IllegalArgumentException where the value is of another type, or null
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
                            + ": offer the type that its reader returns");
        }
        fields[index] = value;
        if (index < Long.SIZE) {
            compMask |= 1L << index;
        } else {
            compMask2 |= 1L << index; // a shift takes the lower six bits of the index
        }
        return true;
    }

    /**
     * What a field was filled with; for subclasses, which know its type.
     *
     * @param index index of the field
     * @param absent the answer where it was not filled
     * @return the value, or {@code absent}
     */
    protected final Object field(int index, Object absent) {
        return has(index) ? fields[index] : absent;
    }
}
