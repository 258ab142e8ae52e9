/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.traffic;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Errno;
import io.verbs4j.tools.ToolException;
import org.junit.jupiter.api.Test;

class FailuresTest {
    @Test
    void aRefusedRequestIsExplained() {
        assertThatThrownBy(() -> Failures.checkPost("send", Errno.EINVAL, () -> "ah is null; pass one"))
                .isInstanceOf(ToolException.class)
                .hasMessageContaining("couldn't post a send: EINVAL")
                .hasMessageEndingWith(": ah is null; pass one");
    }

    @Test
    void whereNothingIsKnownTheErrnoStands() {
        assertThatThrownBy(() -> Failures.checkPost("receive", Errno.ENOMEM, () -> null))
                .hasMessageContaining("receive: ENOMEM")
                .hasMessageNotContaining("null");
    }

    @Test
    void whatWasTakenIsNotAskedAbout() {
        assertThatCode(() -> Failures.checkPost("send", 0, () -> {
                    throw new AssertionError("asked");
                }))
                .doesNotThrowAnyException();
    }
}
