/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.efadv;

/**
 * What a query answered, or what a struct says. Equal to another of its class with the same values, and printed with them. Answers are
 * classes, not records, because the structs that they mirror grow: a value that is added later changes neither a constructor nor a pattern
 * that programs use. Immutable.
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

    /** The name of the class, then each value by its name. */
    @Override
    public final String toString() {
        String text = values.toString();
        return getClass().getSimpleName() + text.substring(text.indexOf('['));
    }
}
