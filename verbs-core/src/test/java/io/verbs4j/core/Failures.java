/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.verbs4j.VerbsException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Assertions about verbs that fail. */
public final class Failures {
    private Failures() {}

    /** Asserts that a verb fails so, and that the message has these words. */
    public static VerbsException assertFails(int errno, ThrowingCallable verb, String... words) {
        VerbsException e = catchThrowableOfType(VerbsException.class, verb);
        assertThat(e).as("a VerbsException was expected").isNotNull();
        assertThat(e.errno()).as(e.getMessage()).isEqualTo(errno);
        for (String word : words) {
            assertThat(e.getMessage()).contains(word);
        }
        return e;
    }
}
