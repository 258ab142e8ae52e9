/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * The extended verbs of one context: for each slot a function of the library and one of the provider.
 *
 * <p>The library creates the table, with as many slots as <em>it</em> knows, when a device is opened. It passes the
 * table to the provider, which fills in what it has and what fits ({@link #fillProvider}). Then it fills its own side
 * ({@link #fillLibrary}) and seals the table. The methods of the header look up the table at every call.
 *
 * <pre>
 *   slot        0           1            2               3             4              5
 *               open_xrcd   close_xrcd   create_srq_ex   get_srq_num   create_qp_ex   open_qp   | size() == 6
 *   library     f           f            f               f             f              f         | called by the header
 *   provider    f           f            -               f             f              f         | called by the library
 * </pre>
 *
 * <p>The functions are {@code Object}s here; their types are in {@code io.verbs4j.slot}. So a table never needs a class
 * newer than its creator. Since level 2; its shape is frozen. A sealed table may be read from any thread. Source:
 * {@code struct verbs_context} and its {@code sz}.
 */
public final class ContextTable {
    private final Object[] library;
    private final Object[] provider;
    private volatile boolean sealed;

    /**
     * Creates an empty table; for the library.
     *
     * @param size number of slots that the library knows
     */
    public ContextTable(int size) {
        library = new Object[size];
        provider = new Object[size];
    }

    /**
     * Returns the number of slots that the library knows.
     *
     * @return the number; the slots are 0 to this minus 1
     */
    public int size() {
        return library.length;
    }

    /**
     * Returns the library's function.
     *
     * @param slot index of a slot, below {@link #size()}
     * @return the function, or null
     */
    public Object library(int slot) {
        return library[slot];
    }

    /**
     * Returns the provider's function.
     *
     * @param slot index of a slot, below {@link #size()}
     * @return the function, or null
     */
    public Object provider(int slot) {
        return provider[slot];
    }

    /**
     * Sets the library's function of a slot.
     *
     * @param slot index of a slot, below {@link #size()}
     * @param function the function, of the slot's type
     * @throws IllegalStateException after {@link #seal()}
     */
    public void fillLibrary(int slot, Object function) {
        requireUnsealed();
        library[slot] = function;
    }

    /**
     * Sets the provider's function of a slot, if the library knows the slot. A provider offers everything that it has;
     * slots that an older library does not know are ignored.
     *
     * @param slot index of a slot
     * @param function the function, of the slot's type
     * @return false if the slot is beyond the library's size: nothing was done
     * @throws IllegalStateException after {@link #seal()}
     */
    public boolean fillProvider(int slot, Object function) {
        requireUnsealed();
        if (slot < 0 || slot >= size()) {
            return false;
        }
        provider[slot] = function;
        return true;
    }

    /** Prevents further changes; for the library. */
    public void seal() {
        sealed = true;
    }

    private void requireUnsealed() {
        if (sealed) {
            throw new IllegalStateException(
                    "the table is sealed: fill it in initContext, while a device is being opened");
        }
    }
}
