/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.OwnThreads;
import io.verbs4j.testsupport.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(Patience.TEST_SECONDS)
class IntTableTest {
    private static final int MANY = 10_000;
    private static final int TURNS = 1_000;

    private final IntTable<String> table = new IntTable<>();

    @Test
    void entriesAreFoundInGrownTable() {
        for (int i = 0; i < MANY; i++) {
            assertThat(table.putIfAbsent(i * 7, "n" + i)).isTrue();
            assertThat(table.get(i * 7)).isEqualTo("n" + i);
        }
        assertThat(table.size()).isEqualTo(MANY);
        for (int i = 0; i < MANY; i++) {
            assertThat(table.get(i * 7)).isEqualTo("n" + i);
            assertThat(table.get(i * 7 + 1)).isNull();
        }
        assertThat(table.putIfAbsent(7, "another")).isFalse();
        assertThat(table.get(7)).isEqualTo("n1");
    }

    @Test
    void onlyRemovedEntriesAreGone() {
        for (int i = 0; i < MANY; i++) {
            table.putIfAbsent(i, "n" + i);
        }
        for (int i = 0; i < MANY; i += 2) {
            table.remove(i);
        }
        table.remove(0); // is gone already
        assertThat(table.size()).isEqualTo(MANY / 2);
        List<String> visited = new ArrayList<>();
        table.forEach(visited::add);
        assertThat(visited).hasSize(MANY / 2).doesNotHaveDuplicates();
        for (int i = 0; i < MANY; i++) {
            assertThat(table.get(i)).isEqualTo(i % 2 == 0 ? null : "n" + i);
        }
    }

    /** Each thread waits for an entry of the other, with no other synchronization between them. */
    @Test
    void changesAreSeenByOtherThread() throws Exception {
        CompletableFuture<Void> other = OwnThreads.run(() -> {
            for (int i = 0; i < TURNS; i++) {
                await(2 * i, true);
                table.putIfAbsent(2 * i + 1, "answer");
                await(2 * i, false);
            }
        });
        for (int i = 0; i < TURNS; i++) {
            table.putIfAbsent(2 * i, "question");
            await(2 * i + 1, true);
            table.remove(2 * i);
        }
        other.get(Patience.SECONDS, TimeUnit.SECONDS);
    }

    private void await(int key, boolean there) {
        long end = System.nanoTime() + Patience.NANOS;
        for (int turn = 0; table.get(key) != null != there; turn++) {
            assertThat(System.nanoTime()).as("waiting for the other thread").isLessThan(end);
            Patience.pause(turn);
        }
    }
}
