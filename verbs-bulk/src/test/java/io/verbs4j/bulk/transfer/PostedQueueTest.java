/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PostedQueueTest {
    @Test
    void completionCoversEarlierRequests() {
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

    /**
     * An entry may be several requests, each of which completes as flushed; the second completion affects no other
     * entry.
     */
    @Test
    void repeatedCompletionIsIgnored() {
        PostedQueue queue = new PostedQueue(64);
        for (int i = 0; i < 3; i++) {
            queue.posted(null, 1, true);
        }
        int number = queue.oldest();
        queue.remove();
        assertThat(queue.reaches(queue.number(number & PostedQueue.NUMBER_MASK)))
                .isFalse();
        assertThat(queue.reaches(queue.number(number + 1 & PostedQueue.NUMBER_MASK)))
                .isTrue();
    }
}
