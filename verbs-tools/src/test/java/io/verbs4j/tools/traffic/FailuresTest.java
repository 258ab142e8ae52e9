/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Errno;
import org.junit.jupiter.api.Test;

class FailuresTest {
    @Test
    void refusedRequestIsExplained() {
        assertThat(Failures.ofPost("send", Errno.EINVAL, "ah is null; pass one"))
                .hasMessageContaining("couldn't post a send: EINVAL")
                .hasMessageEndingWith(": ah is null; pass one");
    }

    @Test
    void unexplainedFailureHasErrnoOnly() {
        assertThat(Failures.ofPost("receive", Errno.ENOMEM, null))
                .hasMessageContaining("receive: ENOMEM")
                .hasMessageNotContaining("null");
    }
}
