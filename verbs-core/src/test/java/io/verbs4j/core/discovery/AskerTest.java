/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.Patience;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The thread that providers are asked in; what becomes of those that hang is told in {@link HangingProvidersTest} as
 * well.
 */
@Timeout(Patience.TEST_SECONDS)
class AskerTest {
    private static final TimeLimit LONG = new TimeLimit(Long.MAX_VALUE);
    private static final TimeLimit SHORT = new TimeLimit(1_000_000);

    @Test
    void oneThreadServesAllAnswersAndEnds() throws Exception {
        Thread first;
        try (Asker asker = new Asker(LONG)) {
            first = asker.ask("one", Thread::currentThread).answer();
            assertThat(asker.ask("two", Thread::currentThread).answer()).isSameAs(first);
            assertThat(first).isNotSameAs(Thread.currentThread());
            assertThat(first.isDaemon()).isTrue();
            assertThat(first.isAlive()).isTrue();
        }
        first.join();
    }

    @Test
    void eachCallStartsWithCleanThreadState() {
        ClassLoader mine = new ClassLoader() {};
        Thread caller = Thread.currentThread();
        ClassLoader before = caller.getContextClassLoader();
        caller.setContextClassLoader(mine);
        try (Asker asker = new Asker(LONG)) {
            for (String provider : new String[] {"one", "two"}) {
                ProviderCall<String> call = asker.ask(provider, () -> {
                    Thread me = Thread.currentThread();
                    String seen = me.getName() + " " + (me.getContextClassLoader() == mine) + " " + me.isInterrupted();
                    me.setName("another");
                    me.setContextClassLoader(null);
                    me.interrupt();
                    return seen;
                });
                assertThat(call.answer()).isEqualTo("verbs4j-provider-" + provider + " true false");
            }
        } finally {
            caller.setContextClassLoader(before);
        }
    }

    @Test
    void interruptOfIdleThreadIsIgnored() {
        try (Asker asker = new Asker(LONG)) {
            Thread thread = asker.ask("one", Thread::currentThread).answer();
            thread.interrupt();
            while (thread.isInterrupted()) {
                Thread.onSpinWait();
            }
            LockSupport.unpark(thread);
            assertThat(asker.ask("two", Thread::currentThread).answer()).isSameAs(thread);
        }
    }

    @Test
    void hangingProviderKeepsItsThreadUntilItReturns() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        try (Asker asker = new Asker(SHORT)) {
            ProviderCall<Thread> hanging = asker.ask("one", () -> {
                boolean released = false;
                while (!released) {
                    try {
                        release.await();
                        released = true;
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                }
                return Thread.currentThread();
            });
            assertThat(hanging.isDone()).isFalse();

            Thread next = null;
            for (int turn = 0; next == null; turn++) { // a millisecond may not be enough on a busy machine
                Patience.pause(turn);
                ProviderCall<Thread> call = asker.ask("two", Thread::currentThread);
                next = call.isDone() ? call.answer() : null;
            }
            release.countDown();
            assertThat(hanging.await(LONG)).isTrue();
            assertThat(hanging.answer()).isNotSameAs(next);
            hanging.answer().join();
        }
    }
}
