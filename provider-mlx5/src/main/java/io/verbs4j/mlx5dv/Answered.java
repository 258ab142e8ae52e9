/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * The set of requested members that libmlx5 filled in. The others are absent and read as 0.
 *
 * @param mask bits of the members that were filled in
 */
record Answered(long mask) {
    boolean has(long bits) {
        return (mask & bits) == bits;
    }

    /** Returns the address to read a member from: the answer's, or that of zeros if the member is absent. */
    long where(long bit, long answer, long zeros) {
        return has(bit) ? answer : zeros;
    }
}
