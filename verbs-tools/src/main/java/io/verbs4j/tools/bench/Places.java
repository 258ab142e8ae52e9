/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.bench;

/**
 * Places in memory that are free for an operation. Each completion returns its own place, because some services
 * complete out of order; the place that has been free for longest is taken first.
 */
final class Places {
    private final int[] free;
    private int first;
    private int count;

    Places(int places) {
        free = new int[places];
        for (int i = 0; i < places; i++) {
            free[i] = i;
        }
        count = places;
    }

    boolean any() {
        return count > 0;
    }

    /** {@return how many are in use} */
    int taken() {
        return free.length - count;
    }

    int take() {
        if (count == 0) {
            throw new IllegalStateException("no place is free");
        }
        int place = free[first];
        first = (first + 1) % free.length;
        count--;
        return place;
    }

    void giveBack(int place) {
        if (count == free.length) {
            throw new IllegalStateException("place " + place + " was returned twice");
        }
        free[(first + count) % free.length] = place;
        count++;
    }
}
