/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.efadv;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.provider.efa.ring.CqPlace;
import io.verbs4j.provider.efa.ring.WorkQueuePlace;
import org.junit.jupiter.api.Test;

class EfaWorkQueueTest {
    private final EfaWorkQueue queue = new EfaWorkQueue(new WorkQueuePlace(1, 64, 128, 2, 16, 3));

    @Test
    void sameValuesAreEqual() {
        EfaWorkQueue same = new EfaWorkQueue(new WorkQueuePlace(1, 64, 128, 2, 16, 3));
        assertThat(queue).isEqualTo(same).hasSameHashCodeAs(same);
        assertThat(queue).isNotEqualTo(new EfaWorkQueue(new WorkQueuePlace(1, 64, 128, 2, 16, 4)));
    }

    @Test
    void answerOfAnotherClassIsNotEqual() {
        assertThat(queue).isNotEqualTo(new EfaCompletionQueue(new CqPlace(1, 64, 128, 2)));
    }

    @Test
    void toStringNamesClassAndValues() {
        assertThat(queue)
                .hasToString("EfaWorkQueue[buffer=1, entrySize=64, numEntries=128, doorbell=2, maxBatch=16, caps=3]");
    }
}
