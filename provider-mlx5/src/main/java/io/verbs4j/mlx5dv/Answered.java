/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;

/**
 * Which of the members that were asked for libmlx5 has filled in. What it has not is absent, and not 0.
 *
 * @param verb that was called
 * @param mask bits of what is there
 */
record Answered(String verb, long mask) {
    boolean has(long bits) {
        return (mask & bits) == bits;
    }

    void need(long bit, String name) {
        if (!has(bit)) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    name + " was not asked for, or the loaded libmlx5 or the device does not tell it; look with has()");
        }
    }
}
