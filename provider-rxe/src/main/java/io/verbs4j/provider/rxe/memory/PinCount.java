/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * How many have pinned something. Not by a {@code VarHandle}: an updater is as fast once it is compiled, and does without the method handles that a
 * program's first message would wait for. Apart, as to make one loads what all fields of its class are of.
 */
abstract class PinCount {
    static final AtomicIntegerFieldUpdater<PinCount> PINS =
            AtomicIntegerFieldUpdater.newUpdater(PinCount.class, "pins");

    /** Changed by {@link #PINS}, but where nobody else can. */
    volatile int pins;
}
