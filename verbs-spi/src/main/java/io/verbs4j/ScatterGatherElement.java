/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.util.Arrays;

/**
 * A piece of registered memory that a work request reads from or writes to.
 *
 * <p>Source: {@code ibv_post_send(3)}. Not thread-safe; elements may be reused as soon as their work request is posted.
 */
public final class ScatterGatherElement {
    private long addr;
    private int length;
    private int lkey;

    /** Creates an instance with every attribute zero. */
    public ScatterGatherElement() {}

    /** {@return the first address, as in {@link MemoryRegion#addr()} plus an offset} */
    public long addr() {
        return addr;
    }

    /**
     * Sets {@link #addr()}.
     *
     * @param value first address, as in {@link MemoryRegion#addr()} plus an offset
     * @return this
     */
    public ScatterGatherElement addr(long value) {
        addr = value;
        return this;
    }

    /** {@return the length in bytes, 0 to 2^31 - 1} */
    public int length() {
        return length;
    }

    /**
     * Sets {@link #length()}.
     *
     * @param value length in bytes, 0 to 2^31 - 1
     * @return this
     */
    public ScatterGatherElement length(int value) {
        length = value;
        return this;
    }

    /** {@return the local key of the region} */
    public int lkey() {
        return lkey;
    }

    /**
     * Sets {@link #lkey()}.
     *
     * @param value local key of the region
     * @return this
     */
    public ScatterGatherElement lkey(int value) {
        lkey = value;
        return this;
    }

    /**
     * Creates an element for a whole region, or for its first 2^31 - 1 bytes if it is longer.
     *
     * @param mr the region
     * @return a new element
     */
    public static ScatterGatherElement of(MemoryRegion mr) {
        long length = mr.length(); // unsigned: a null region has the length with all bits set
        return of(mr, 0, length < 0 ? Integer.MAX_VALUE : (int) Math.min(length, Integer.MAX_VALUE));
    }

    /**
     * Creates an element for a part of a region.
     *
     * @param mr the region
     * @param offset offset of the part in bytes from the start of the region
     * @param length length of the part in bytes
     * @return a new element
     * @throws IndexOutOfBoundsException if the part is not within the region. If the region has no meaningful length,
     *     like a null region, an implicit one or a key without memory, only a negative length is rejected
     */
    public static ScatterGatherElement of(MemoryRegion mr, long offset, int length) {
        long all = mr.length();
        if (length < 0 || all > 0 && (offset < 0 || offset > all - length)) {
            throw new IndexOutOfBoundsException(
                    "offset " + offset + " and length " + length + " are not within a region of " + all + " bytes");
        }
        return new ScatterGatherElement()
                .addr(mr.addr() + offset)
                .length(length)
                .lkey(mr.lkey());
    }

    @Override
    public String toString() {
        return "0x" + Long.toHexString(addr) + " + " + length + " (lkey 0x" + Integer.toHexString(lkey) + ")";
    }

    /** Formats a list for people, even an invalid one. */
    static String list(ScatterGatherElement[] elements, int count) {
        if (elements == null || count < 0 || count > elements.length) {
            return count + " elements of " + (elements == null ? "no list" : "a list of " + elements.length);
        }
        return Arrays.asList(elements).subList(0, count).toString();
    }
}
