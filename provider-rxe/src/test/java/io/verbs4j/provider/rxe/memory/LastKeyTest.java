/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.provider.rxe.TestContext;
import java.lang.ref.WeakReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who remembers a key uses it as if it had been looked for each time. */
class LastKeyTest {
    private static final int RIGHTS = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE;
    private static final long FROM = 4096;

    private final MemoryKeys keys = new MemoryKeys();
    private final LastKey last = new LastKey();
    private TestContext context;
    private ProtectionDomain pd;

    @BeforeEach
    void open() {
        context = TestContext.open((String) null);
        pd = context.allocPd();
    }

    @AfterEach
    void close() {
        pd.close();
        context.close();
    }

    private MemoryKey add(Object keeper) {
        return keys.add(pd, new RegionMemory(FROM, 100, FROM, false, null, keeper), RIGHTS);
    }

    /** The key that is pinned, whose pin is ended. */
    private MemoryKey pinned(int number, long from, long bytes, int rights) {
        MemoryKey key = keys.pin(last, number, pd, null, from, bytes, rights);
        if (key != null) {
            key.unpin();
        }
        return key;
    }

    @Test
    void theNumberDecides() {
        MemoryKey one = add(null);
        MemoryKey other = add(null);
        assertThat(pinned(one.key(), FROM, 100, 0)).isSameAs(one);
        assertThat(pinned(other.key(), FROM, 100, 0)).isSameAs(other);
        assertThat(pinned(one.key(), FROM, 100, 0)).isSameAs(one);
        assertThat(pinned(one.key() ^ 1, FROM, 100, 0)).isNull();
        assertThat(pinned(other.key(), FROM, 100, 0)).isSameAs(other);
    }

    @Test
    void rangeRightsAndDomainAreLookedAtEachTime() {
        MemoryKey key = add(null);
        assertThat(pinned(key.key(), FROM, 100, RIGHTS)).isSameAs(key);
        assertThat(pinned(key.key(), FROM, 101, RIGHTS)).isNull();
        assertThat(pinned(key.key(), FROM, 100, RIGHTS)).isSameAs(key);
        assertThat(pinned(key.key(), FROM, 100, AccessFlags.REMOTE_READ)).isNull();
        assertThat(pinned(key.key(), FROM, 100, RIGHTS)).isSameAs(key);
        try (ProtectionDomain foreign = context.allocPd()) {
            assertThat(keys.pin(last, key.key(), foreign, null, FROM, 1, 0)).isNull();
        }
    }

    /** What was pinned for nothing is not pinned any more: else the key could not end, which waits. */
    @Test
    void aKeyThatHasEndedIsNotUsed() {
        MemoryKey key = add(null);
        assertThat(pinned(key.key(), FROM, 100, 0)).isSameAs(key);
        assertThat(pinned(key.key() ^ 1, FROM, 1, 0)).isNull();
        assertThat(pinned(key.key(), FROM, 100, 0)).isSameAs(key);
        assertThat(pinned(key.key(), FROM, 101, 0)).isNull();
        assertThat(pinned(key.key(), FROM, 100, 0)).isSameAs(key);
        keys.remove(key);
        assertThat(pinned(key.key(), FROM, 100, 0)).isNull();
    }

    /** A queue pair that sends nothing for long must not keep memory that its program has given back. */
    @Test
    @Timeout(60)
    void memoryOfAKeyThatHasEndedIsNotKept() throws InterruptedException {
        Object[] memory = {new Object()};
        WeakReference<Object> kept = new WeakReference<>(memory[0]);
        MemoryKey key = add(memory[0]);
        memory[0] = null;
        assertThat(pinned(key.key(), FROM, 100, 0)).isSameAs(key);
        keys.remove(key);
        while (kept.get() != null) {
            System.gc();
            Thread.sleep(1);
        }
        assertThat(pinned(key.key(), FROM, 100, 0)).isNull();
    }
}
