/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How a send queue that the library counts fills and empties. */
class SendRoomTest {
    private static final int MOST = 3;

    private final SendRoom room = new SendRoom(MOST);

    private void full() {
        assertThat(room.take(99, true)).as("room for another request").isFalse();
    }

    private void fill(boolean... signaled) {
        for (int i = 0; i < signaled.length; i++) {
            assertThat(room.take(i, signaled[i])).isTrue();
        }
    }

    @Test
    void takesAsManyAsTheQueueHolds() {
        fill(true, true, true);
        full();
        room.giveBack(1);
        assertThat(room.take(5, true)).isTrue();
        full();
    }

    @Test
    void completionFreesAllBeforeIt() {
        fill(false, false, true);
        room.completed(0, false);
        room.completed(7, false);
        full();
        room.completed(2, false);
        fill(true, true, true);
        full();
    }

    @Test
    void failureFreesUnsignaledRequest() {
        fill(false, false, true);
        room.completed(1, true);
        fill(true, true);
        full();
    }

    @Test
    void equalIdsAreFreedOneByOne() {
        for (int i = 0; i < 1000; i++) {
            while (room.take(8, true)) {
                // until it is full
            }
            room.completed(8, false);
            assertThat(room.take(8, true)).isTrue();
            full();
        }
    }

    @Test
    void resetEmptiesQueue() {
        fill(false, false, false);
        room.reset();
        fill(true, true, true);
        full();
    }
}
