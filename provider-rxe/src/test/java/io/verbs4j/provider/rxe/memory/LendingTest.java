/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.provider.rxe.TestContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Removing a key recalls memory that was lent through it. */
class LendingTest {
    /** Records what is recalled. */
    private static class Noting implements Lender {
        final List<Long> recalled = new ArrayList<>();
        boolean closed;

        @Override
        public void recall(long until) {
            recalled.add(until);
        }

        @Override
        public boolean isClosed() {
            return closed;
        }
    }

    @Test
    void eachLenderIsCalledOnceWithItsLastPosition() {
        Noting first = new Noting();
        Noting second = new Noting();
        Noting gone = new Noting();
        try (TestContext context = TestContext.open((String) null);
                ProtectionDomain pd = context.allocPd()) {
            MemoryKeys keys = new MemoryKeys();
            MemoryKey key = keys.add(pd, RegionMemory.of(4096, 100, false), AccessFlags.LOCAL_WRITE);
            key.lend(first, 1);
            key.lend(gone, 2);
            key.lend(first, 3);
            gone.closed = true;
            key.lend(second, 4);
            assertThat(first.recalled).isEmpty();
            keys.remove(key);
        }
        assertThat(first.recalled).containsExactly(3L);
        assertThat(second.recalled).containsExactly(4L);
        assertThat(gone.recalled).isEmpty();
    }

    /** Between reading the list and replacing it, as another thread may. */
    @Test
    void concurrentLendersAreAllRecorded() {
        Noting first = new Noting();
        try (TestContext context = TestContext.open((String) null);
                ProtectionDomain pd = context.allocPd()) {
            MemoryKeys keys = new MemoryKeys();
            MemoryKey key = keys.add(pd, RegionMemory.of(4096, 100, false), AccessFlags.LOCAL_WRITE);
            AtomicBoolean lends = new AtomicBoolean();
            Noting meanwhile = new Noting() {
                @Override
                public boolean isClosed() {
                    if (lends.getAndSet(false)) {
                        key.lend(first, 9);
                    }
                    return false;
                }
            };
            key.lend(meanwhile, 1);
            key.lend(first, 2);
            lends.set(true);
            key.lend(new Noting(), 3); // visits the first one first, then the other
            keys.remove(key);
        }
        assertThat(first.recalled).containsExactly(9L);
    }
}
