/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import java.util.concurrent.atomic.AtomicLong;

/** Counts the bytes that a channel has moved. The loop's thread counts, any thread reads. */
final class Traffic {
    private final AtomicLong sentByCopy = new AtomicLong();
    private final AtomicLong sentInPlace = new AtomicLong();
    private final AtomicLong receivedByCopy = new AtomicLong();
    private final AtomicLong receivedInPlace = new AtomicLong();

    void sentByCopy(int bytes) {
        add(sentByCopy, bytes);
    }

    void sentInPlace(int bytes) {
        add(sentInPlace, bytes);
    }

    void receivedByCopy(int bytes) {
        add(receivedByCopy, bytes);
    }

    void receivedInPlace(int bytes) {
        add(receivedInPlace, bytes);
    }

    long sentByCopy() {
        return sentByCopy.get();
    }

    long sentInPlace() {
        return sentInPlace.get();
    }

    long receivedByCopy() {
        return receivedByCopy.get();
    }

    long receivedInPlace() {
        return receivedInPlace.get();
    }

    /** Needs no locked instruction, because only one thread writes. */
    private static void add(AtomicLong counter, int bytes) {
        counter.lazySet(counter.getPlain() + bytes);
    }
}
