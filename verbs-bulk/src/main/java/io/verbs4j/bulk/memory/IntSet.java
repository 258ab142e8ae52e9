/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.memory;

import java.util.Arrays;

/** A set of numbers in ascending order. Allocates only when it grows. */
final class IntSet {
    private static final int FIRST_ROOM = 4;

    private int[] numbers = new int[FIRST_ROOM];
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    boolean contains(int number) {
        return Arrays.binarySearch(numbers, 0, size, number) >= 0;
    }

    /** Adds a number, which may be there already. */
    void add(int number) {
        int at = Arrays.binarySearch(numbers, 0, size, number);
        if (at >= 0) {
            return;
        }
        int place = -at - 1;
        if (size == numbers.length) {
            numbers = Arrays.copyOf(numbers, size * 2);
        }
        System.arraycopy(numbers, place, numbers, place + 1, size - place);
        numbers[place] = number;
        size++;
    }

    /** Removes a number. Returns whether it was there. */
    boolean remove(int number) {
        int at = Arrays.binarySearch(numbers, 0, size, number);
        if (at < 0) {
            return false;
        }
        System.arraycopy(numbers, at + 1, numbers, at, size - at - 1);
        size--;
        return true;
    }

    void clear() {
        size = 0;
    }

    int[] all() {
        return Arrays.copyOf(numbers, size);
    }
}
