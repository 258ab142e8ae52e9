/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.testsupport.Patience;
import java.lang.ref.WeakReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A remembered key behaves as if it were looked up each time. */
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

    /** Returns the pinned key, after unpinning it. */
    private MemoryKey pinned(int number, long from, long bytes, int rights) {
        MemoryKey key = keys.pin(last, number, pd, null, from, bytes, rights);
        if (key != null) {
            key.unpin();
        }
        return key;
    }

    @Test
    void keyIsFoundByNumber() {
        MemoryKey one = add(null);
        MemoryKey other = add(null);
        assertThat(pinned(one.key(), FROM, 100, 0)).isSameAs(one);
        assertThat(pinned(other.key(), FROM, 100, 0)).isSameAs(other);
        assertThat(pinned(one.key(), FROM, 100, 0)).isSameAs(one);
        assertThat(pinned(one.key() ^ 1, FROM, 100, 0)).isNull();
        assertThat(pinned(other.key(), FROM, 100, 0)).isSameAs(other);
    }

    @Test
    void rangeRightsAndDomainAreCheckedEachTime() {
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

    /** A failed pin is released: otherwise removing the key would wait forever. */
    @Test
    void removedKeyIsNotUsed() {
        MemoryKey key = add(null);
        assertThat(pinned(key.key(), FROM, 100, 0)).isSameAs(key);
        assertThat(pinned(key.key() ^ 1, FROM, 1, 0)).isNull();
        assertThat(pinned(key.key(), FROM, 100, 0)).isSameAs(key);
        assertThat(pinned(key.key(), FROM, 101, 0)).isNull();
        assertThat(pinned(key.key(), FROM, 100, 0)).isSameAs(key);
        keys.remove(key);
        assertThat(pinned(key.key(), FROM, 100, 0)).isNull();
    }

    /** A queue pair that sends nothing for long must not keep memory that its program has released. */
    @Test
    @Timeout(Patience.TEST_SECONDS)
    void memoryOfRemovedKeyIsReleased() throws InterruptedException {
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

    private MemoryKey used(int number, long from, long bytes, int rights) {
        return keys.use(last, number, pd, null, from, bytes, rights);
    }

    @Test
    void useIsCheckedLikePin() {
        MemoryKey key = add(null);
        MemoryKey other = add(null);
        for (int i = 0; i < 2; i++) { // first not remembered yet, then remembered
            assertThat(used(key.key(), FROM, 100, RIGHTS)).isSameAs(key);
            assertThat(LastKey.mayTouch(key, key)).isTrue();
            last.end(key);
        }
        assertThat(used(key.key(), FROM, 101, 0)).isNull();
        assertThat(pinned(key.key(), FROM, 100, 0)).isSameAs(key);
        assertThat(used(key.key(), FROM, 100, AccessFlags.REMOTE_READ)).isNull();
        assertThat(pinned(key.key(), FROM, 100, 0)).isSameAs(key);
        assertThat(used(other.key(), FROM, 100, 0)).isSameAs(other);
        last.end(other);
        assertThat(pinned(key.key(), FROM, 100, 0)).isSameAs(key);
        try (ProtectionDomain foreign = context.allocPd()) {
            assertThat(keys.use(last, key.key(), foreign, null, FROM, 1, 0)).isNull();
        }
        keys.remove(key); // would wait for a remaining user
        keys.remove(other);
    }

    /**
     * A remembered key is used without being counted, an unremembered one is counted, and so is one of fragile memory.
     */
    @ParameterizedTest
    @CsvSource({"false, false", "true, false", "true, true"})
    @Timeout(Patience.TEST_SECONDS)
    void keyEndsWhenItsUserLeaves(boolean remembered, boolean fragile) throws InterruptedException {
        MemoryKey key = keys.add(pd, new RegionMemory(FROM, 100, FROM, fragile, null, null), RIGHTS);
        if (remembered) {
            assertThat(pinned(key.key(), FROM, 100, 0)).isSameAs(key);
        }
        assertThat(used(key.key(), FROM, 100, 0)).isSameAs(key);
        assertThat(LastKey.mayTouch(key, key)).isTrue();
        Thread ends = new Thread(() -> keys.remove(key));
        ends.start();
        for (int turn = 0;
                ends.isAlive() && !(key.isRevoked() && ends.getState() == Thread.State.TIMED_WAITING);
                turn++) {
            Patience.pause(turn);
        }
        assertThat(ends.isAlive()).as("thread still waits").isTrue();
        assertThat(LastKey.mayTouch(key, key)).isFalse(); // later users are not admitted
        last.end(key);
        ends.join();
        assertThat(pinned(key.key(), FROM, 100, 0)).isNull();
    }

    @Test
    void eitherOfTwoKeysMayBeRemoved() {
        MemoryKey one = add(null);
        MemoryKey ended = add(null);
        keys.remove(ended);
        assertThat(LastKey.mayTouch(one, one)).isTrue();
        assertThat(LastKey.mayTouch(one, ended)).isFalse();
        assertThat(LastKey.mayTouch(ended, one)).isFalse();
    }

    /** Otherwise closed queue pairs would be visited, and kept, forever. */
    @Test
    void forgettingEndsUse() {
        MemoryKey key = add(null);
        MemoryKey other = add(null);
        assertThat(keys.users()).isZero();
        for (MemoryKey one : new MemoryKey[] {key, other, key}) {
            assertThat(pinned(one.key(), FROM, 100, 0)).isSameAs(one);
            assertThat(keys.users()).isEqualTo(1);
        }
        last.clear();
        assertThat(keys.users()).isZero();
        assertThat(pinned(key.key(), FROM, 100, 0)).isSameAs(key);
        assertThat(keys.users()).isEqualTo(1);
    }
}
