/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.base;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Failures that a thread of the device survives. */
@SuppressWarnings("removal")
class MishapsTest {
    private final Mishaps mishaps = new Mishaps("a failure of this test");

    @Test
    void threadDeathPropagates() {
        ThreadDeath death = new ThreadDeath();
        assertThatThrownBy(() -> mishaps.survive(death)).isSameAs(death);
        assertThatThrownBy(() -> Mishaps.passOnDeath(death)).isSameAs(death);
    }

    @Test
    void otherErrorsAreSurvived() {
        assertThatCode(() -> mishaps.survive(new StackOverflowError())).doesNotThrowAnyException();
        assertThatCode(() -> mishaps.survive(new IllegalStateException())).doesNotThrowAnyException();
        assertThatCode(() -> mishaps.note(new ThreadDeath())).doesNotThrowAnyException();
    }
}
