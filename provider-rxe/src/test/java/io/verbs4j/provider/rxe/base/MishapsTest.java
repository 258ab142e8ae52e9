/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.base;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** What a thread of the device survives. */
@SuppressWarnings("removal")
class MishapsTest {
    private final Mishaps mishaps = new Mishaps("a test has let something happen");

    @Test
    void whatStopsAThreadGoesThrough() {
        ThreadDeath death = new ThreadDeath();
        assertThatThrownBy(() -> mishaps.survive(death)).isSameAs(death);
        assertThatThrownBy(() -> Mishaps.passOnDeath(death)).isSameAs(death);
    }

    @Test
    void everythingElseIsSurvived() {
        assertThatCode(() -> mishaps.survive(new StackOverflowError())).doesNotThrowAnyException();
        assertThatCode(() -> mishaps.survive(new IllegalStateException())).doesNotThrowAnyException();
        assertThatCode(() -> mishaps.note(new ThreadDeath())).doesNotThrowAnyException();
    }
}
