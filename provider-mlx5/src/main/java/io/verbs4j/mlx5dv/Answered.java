/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * Which of the members that were asked for libmlx5 has filled in. The others are absent, and read as 0.
 *
 * @param mask bits of what is there
 */
record Answered(long mask) {
    boolean has(long bits) {
        return (mask & bits) == bits;
    }

    /** Where to read a member: in the answer, or in zeros where it is absent. */
    long where(long bit, long answer, long zeros) {
        return has(bit) ? answer : zeros;
    }
}
