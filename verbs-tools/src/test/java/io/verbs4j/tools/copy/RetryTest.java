/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.copy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RetryTest {
    @Test
    void zeroRetryTimeDisablesRetry() {
        Retry retry = new Retry(0);
        assertThat(retry.pause()).isFalse();
        assertThat(retry.isTrying()).isFalse();
    }

    @Test
    void retryEndsAfterItsTimeAndRestartsAfterProgress() {
        Retry retry = new Retry(1);
        assertThat(retry.pause()).isTrue();
        assertThat(retry.isTrying()).isTrue();
        while (retry.pause()) {
            assertThat(retry.isTrying()).isTrue();
        }
        retry.advanced();
        assertThat(retry.isTrying()).isFalse();
        assertThat(retry.pause()).as("a loss after an advance has its own time").isTrue();
    }
}
