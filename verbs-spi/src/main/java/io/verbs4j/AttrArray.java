/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * An array of records that an extended verb fills or reads, whose elements can grow.
 *
 * <p>The caller passes the length of an element as it knows it: the stride. Elements follow one another, {@code stride}
 * words of 64 bits each. A callee that knows longer elements writes the words that fit; one that knows shorter ones
 * leaves the rest 0.
 *
 * <pre>
 *   stride (caller) 3   | a0 a1 a2 | b0 b1 b2 | c0 c1 c2 |
 *   written by a callee that knows 2: a2, b2, c2 stay 0; by one that knows 4: a3, b3, c3 are dropped
 * </pre>
 *
 * <p>Since level 2; its shape is frozen. Source: {@code entry_size} of {@code ibv_query_gid_table(3)}. Not thread-safe.
 */
public final class AttrArray {
    private final int length;
    private final int stride;
    private final long[] words;

    /**
     * Creates an array of zeros.
     *
     * @param length number of elements
     * @param stride number of words per element that the caller knows, from 1
     */
    public AttrArray(int length, int stride) {
        if (length < 0 || stride < 1) {
            throw new IllegalArgumentException(
                    "length " + length + " and stride " + stride + "; they must be at least 0 and 1");
        }
        this.length = length;
        this.stride = stride;
        words = new long[Math.multiplyExact(length, stride)];
    }

    /** {@return the number of elements that the array has room for} */
    public int length() {
        return length;
    }

    /** {@return the number of words per element that the caller knows, at least 1} */
    public int stride() {
        return stride;
    }

    /**
     * Writes a word if the caller knows it; for callees.
     *
     * @param element index of the element
     * @param word index of the word in the element
     * @param value the word
     * @return false if there is no room for it: nothing was done
     */
    public boolean offer(int element, int word, long value) {
        if (element < 0 || element >= length || word < 0 || word >= stride) {
            return false;
        }
        words[element * stride + word] = value;
        return true;
    }

    /**
     * Reads a word.
     *
     * @param element index of the element
     * @param word index of the word in the element
     * @return the word; 0 if there is none
     */
    public long get(int element, int word) {
        boolean inside = element >= 0 && element < length && word >= 0 && word < stride;
        return inside ? words[element * stride + word] : 0;
    }
}
