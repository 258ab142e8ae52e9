/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Who takes part in an open context, and at which level: the answer of {@link Context#queryContext()}.
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

    /** Word of an element of {@link #slots()}: the level that the slot came with. */
    public static final int SLOT_LEVEL = 0;

    /** Word of an element of {@link #slots()}: {@link #LIBRARY_HAS} and {@link #PROVIDER_HAS}. */
    public static final int SLOT_STATE = 1;

    /** Bit of a slot's state: the library's function is there. */
    public static final long LIBRARY_HAS = 1;

    /** Bit of a slot's state: the provider's function is there. */
    public static final long PROVIDER_HAS = 2;

    /** What each field takes, by its index. */
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

    /** Creates an instance with nothing filled. */
    public ContextAttr() {
        super(TYPES);
    }

    /**
     * The level that the program was compiled for.
     *
     * @return the level, as it was passed at open; 0 where the library does not tell
     */
    public int callerLevel() {
        return (Integer) field(CALLER_LEVEL, 0);
    }

    /**
     * The level of the library.
     *
     * @return the level; 1 where it does not tell, because libraries tell from level 2 on
     */
    public int libraryLevel() {
        return (Integer) field(LIBRARY_LEVEL, VerbsLevel.BASE);
    }

    /**
     * Where the library comes from.
     *
     * @return the jar or directory; {@code "?"} where it is not known
     */
    public String libraryOrigin() {
        return (String) field(LIBRARY_ORIGIN, UNKNOWN);
    }

    /**
     * The device's provider.
     *
     * @return its name; {@code "?"} where the library does not tell
     */
    public String providerName() {
        return (String) field(PROVIDER_NAME, UNKNOWN);
    }

    /**
     * The level that the provider was written for.
     *
     * @return the level; 0 where the library does not tell
     */
    public int providerLevel() {
        return (Integer) field(PROVIDER_LEVEL, 0);
    }

    /**
     * Where the provider comes from.
     *
     * @return the jar or directory; {@code "?"} where it is not known
     */
    public String providerOrigin() {
        return (String) field(PROVIDER_ORIGIN, UNKNOWN);
    }

    /**
     * How many slots the library knows.
     *
     * @return the number; 0 where it has no table
     */
    public int tableSize() {
        return (Integer) field(TABLE_SIZE, 0);
    }

    /**
     * The slots that this header knows, by index. The words of each are {@link #SLOT_LEVEL} and {@link #SLOT_STATE}.
     *
     * @return the array; the element of a slot that the library does not know has zeros
     */
    public AttrArray slots() {
        return slots;
    }

    /**
     * Whether a call of a verb can come to something: the verb is there, or verbs of level 1 stand in for what they can do of
     * it.
     *
     * @param slot a {@link ContextSlot} value
     * @return false also for a slot that this header does not know
     */
    public boolean canCall(int slot) {
        return hasVerb(slot) || ContextSlot.hasFallback(slot);
    }

    /**
     * Whether a verb itself is there: the library and the provider have it. Where not, {@link #canCall(int)} tells whether
     * something stands in for it.
     *
     * @param slot a {@link ContextSlot} value
     * @return false also for a slot that nobody knows
     */
    public boolean hasVerb(int slot) {
        return (slots.get(slot, SLOT_STATE) & (LIBRARY_HAS | PROVIDER_HAS)) == (LIBRARY_HAS | PROVIDER_HAS);
    }

    /** {@return what was filled, by the names of the methods that read it; for logs and debuggers, the form may change} */
    @Override
    public String toString() {
        return AttrText.ofFilled(this);
    }
}
