/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

/**
 * Base of the results of queries and of immutable attribute structs. Two are equal if they have the same class and the
 * same values, and {@link #toString()} lists the values.
 *
 * <p>Results are classes, not records, because the structs they mirror grow: adding a value then changes no constructor
 * and no pattern that programs use. Immutable.
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

    /** {@return the class name, then each value with its name} */
    @Override
    public final String toString() {
        String text = values.toString();
        return getClass().getSimpleName() + text.substring(text.indexOf('['));
    }
}
