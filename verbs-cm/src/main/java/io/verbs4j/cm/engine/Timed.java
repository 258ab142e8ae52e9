/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

/** An object with a deadline. Guarded by the engine. */
abstract class Timed {
    /** In nanoseconds of the engine's clock; valid while it is scheduled. */
    long deadline;

    /** Orders objects with equal deadlines. */
    long serial;

    boolean scheduled;

    /** Called at the deadline, after the object was unscheduled. */
    abstract void fire();
}
