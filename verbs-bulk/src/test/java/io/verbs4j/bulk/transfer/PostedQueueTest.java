/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PostedQueueTest {
    @Test
    void completionStandsForAllBefore() {
        PostedQueue queue = new PostedQueue(64);
        Transfer transfer = new Transfer(0);
        for (int round = 0; round < 100; round++) {
            int first = queue.next();
            for (int i = 0; i < 16; i++) {
                assertThat(queue.mustSignal()).isEqualTo(i == 15);
                queue.posted(i == 3 ? transfer : null, i, i == 15);
            }
            assertThat(queue.room()).isEqualTo(48);
            assertThat(queue.reaches(first - 1)).isFalse();
            for (int i = 0; i < 16; i++) {
                assertThat(queue.reaches(first + 15)).isTrue();
                assertThat(queue.oldest()).isEqualTo(first + i);
                assertThat(queue.oldestBytes()).isEqualTo(i);
                assertThat(queue.remove()).isSameAs(i == 3 ? transfer : null);
            }
            assertThat(queue.isEmpty()).isTrue();
            assertThat(queue.reaches(first + 15)).isFalse();
        }
    }
}
