/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * Counts the pins of an object. Uses a field updater instead of a {@code VarHandle}: it is as fast once compiled and
 * needs no method handles, which would delay a program's first message. In a class of its own, because creating an
 * updater loads the types of all fields of its class.
 */
abstract class PinCount {
    static final AtomicIntegerFieldUpdater<PinCount> PINS =
            AtomicIntegerFieldUpdater.newUpdater(PinCount.class, "pins");

    /** Changed through {@link #PINS}, except where no other thread can change it. */
    volatile int pins;
}
