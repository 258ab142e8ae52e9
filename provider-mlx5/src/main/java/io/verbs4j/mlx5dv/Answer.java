/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * The immutable values that a query returned or that a struct describes. Two instances of the same class with the same
 * values are equal, and {@link #toString()} prints the values by name. Subclasses are classes, not records, because the
 * structs that they mirror grow: a value added later changes neither a constructor nor a pattern that programs use.
 */
abstract class Answer {
    private final Record values;

    Answer(Record values) {
        this.values = values;
    }

    @Override
    public final boolean equals(Object other) {
        return other instanceof Answer that && getClass() == that.getClass() && values.equals(that.values);
    }

    @Override
    public final int hashCode() {
        return values.hashCode();
    }

    /** Returns the name of the class, followed by each value with its name. */
    @Override
    public final String toString() {
        String text = values.toString();
        return getClass().getSimpleName() + text.substring(text.indexOf('['));
    }
}
