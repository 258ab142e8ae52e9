/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

/** Something with a deadline. Guarded by the engine. */
abstract class Timed {
    /** In nanoseconds of the engine's clock; counts while it is scheduled. */
    long deadline;

    /** Tells those of the same deadline apart. */
    long serial;

    boolean scheduled;

    /** The deadline has come; it is not scheduled any more. */
    abstract void fire();
}
