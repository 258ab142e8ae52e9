/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * The participants of an open context and their levels: the result of {@link Context#queryContext()}.
 *
 * <p>Since level 2. Not thread-safe.
 */
public final class ContextAttr extends OutputAttr {
    /** Index of {@link #callerLevel()}. */
    public static final int CALLER_LEVEL = 0;

    /** Index of {@link #libraryLevel()}. */
    public static final int LIBRARY_LEVEL = 1;

    /** Index of {@link #libraryOrigin()}. */
    public static final int LIBRARY_ORIGIN = 2;

    /** Index of {@link #providerName()}. */
    public static final int PROVIDER_NAME = 3;

    /** Index of {@link #providerLevel()}. */
    public static final int PROVIDER_LEVEL = 4;

    /** Index of {@link #providerOrigin()}. */
    public static final int PROVIDER_ORIGIN = 5;

    /** Index of {@link #tableSize()}. */
    public static final int TABLE_SIZE = 6;

    /** Word of an element of {@link #slots()}: the level that added the slot. */
    public static final int SLOT_LEVEL = 0;

    /** Word of an element of {@link #slots()}: {@link #LIBRARY_HAS} and {@link #PROVIDER_HAS}. */
    public static final int SLOT_STATE = 1;

    /** Bit of a slot's state: the library has the function. */
    public static final long LIBRARY_HAS = 1;

    /** Bit of a slot's state: the provider has the function. */
    public static final long PROVIDER_HAS = 2;

    /** The type of each field, by its index. */
    private static final Class<?>[] TYPES = {
        Integer.class, // CALLER_LEVEL
        Integer.class, // LIBRARY_LEVEL
        String.class, // LIBRARY_ORIGIN
        String.class, // PROVIDER_NAME
        Integer.class, // PROVIDER_LEVEL
        String.class, // PROVIDER_ORIGIN
        Integer.class, // TABLE_SIZE
    };

    private static final int STRIDE = SLOT_STATE + 1;
    private static final String UNKNOWN = "?";

    private final AttrArray slots = new AttrArray(ContextSlot.COUNT, STRIDE);

    /** Creates an instance with no field filled. */
    public ContextAttr() {
        super(TYPES);
    }

    /** {@return the level that the program was compiled for, as passed at open; 0 if the library does not report it} */
    public int callerLevel() {
        return (Integer) field(CALLER_LEVEL, 0);
    }

    /** {@return the level of the library; 1 if it does not report one, because libraries report it from level 2 on} */
    public int libraryLevel() {
        return (Integer) field(LIBRARY_LEVEL, VerbsLevel.BASE);
    }

    /** {@return the jar or directory that the library comes from; {@code "?"} if unknown} */
    public String libraryOrigin() {
        return (String) field(LIBRARY_ORIGIN, UNKNOWN);
    }

    /** {@return the name of the device's provider; {@code "?"} if the library does not report it} */
    public String providerName() {
        return (String) field(PROVIDER_NAME, UNKNOWN);
    }

    /** {@return the level that the provider was written for; 0 if the library does not report it} */
    public int providerLevel() {
        return (Integer) field(PROVIDER_LEVEL, 0);
    }

    /** {@return the jar or directory that the provider comes from; {@code "?"} if unknown} */
    public String providerOrigin() {
        return (String) field(PROVIDER_ORIGIN, UNKNOWN);
    }

    /** {@return the number of slots that the library knows; 0 if it has no table} */
    public int tableSize() {
        return (Integer) field(TABLE_SIZE, 0);
    }

    /**
     * Returns the slots that this header knows, by index. The words of each are {@link #SLOT_LEVEL} and
     * {@link #SLOT_STATE}.
     *
     * @return the array; the element of a slot that the library does not know is all zeros
     */
    public AttrArray slots() {
        return slots;
    }

    /**
     * Returns whether a call of a verb can succeed: the verb is available, or verbs of level 1 serve as a fallback.
     *
     * @param slot a {@link ContextSlot} value
     * @return whether it can; false also for a slot that this header does not know
     */
    public boolean canCall(int slot) {
        return hasVerb(slot) || ContextSlot.hasFallback(slot);
    }

    /**
     * Returns whether the verb itself is available: both library and provider have it. If not, {@link #canCall(int)}
     * says whether there is a fallback.
     *
     * @param slot a {@link ContextSlot} value
     * @return whether it is; false also for a slot that nobody knows
     */
    public boolean hasVerb(int slot) {
        return (slots.get(slot, SLOT_STATE) & (LIBRARY_HAS | PROVIDER_HAS)) == (LIBRARY_HAS | PROVIDER_HAS);
    }

    /** {@return the filled fields, with the names of their accessors; for logs and debuggers, the format may change} */
    @Override
    public String toString() {
        return AttrText.ofFilled(this);
    }
}
