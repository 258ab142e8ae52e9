/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.misuse;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.Full;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * A million calls of every verb by several threads.
 *
 * <p>Each episode has a seed, which a failure names and the property repeats. The calls of one thread depend on the
 * seed alone as long as the thread is alone; every fourth episode has one thread only.
 */
@Full
class MisuseIT {
    /** Repeats the episode with this seed. */
    static final String SEED = "io.verbs4j.misuse.seed";

    private static final long CALLS = Long.getLong("io.verbs4j.misuse.calls", 1_000_000);
    private static final long SECONDS = Long.getLong("io.verbs4j.misuse.seconds", 15);
    private static final int CALLS_PER_THREAD = 8_000;
    private static final int REPEATS = 20;

    @Test
    void everyResultIsDocumentedAndNothingLeaks() {
        GuardedMemory memory = new GuardedMemory();
        Long seed = Long.getLong(SEED);
        if (seed != null) {
            for (int i = 0; i < REPEATS; i++) {
                new Episode(seed, threads(seed), CALLS_PER_THREAD, memory).run();
            }
            return;
        }
        long first = System.nanoTime();
        SplittableRandom seeds = new SplittableRandom(first);
        Tally tally = new Tally();
        long calls = 0;
        int episodes = 0;
        // Both conditions: the number matters on a slow machine, the time on a fast one.
        while (calls < CALLS || System.nanoTime() - first < TimeUnit.SECONDS.toNanos(SECONDS)) {
            long next = seeds.nextLong();
            Episode episode = new Episode(next, threads(next), CALLS_PER_THREAD, memory);
            calls += episode.run();
            tally.add(episode.tally());
            episodes++;
        }
        double seconds = (System.nanoTime() - first) / 1e9;
        System.out.printf(
                Locale.ROOT,
                "misuse: %d calls in %d episodes, %.1f s, %.0f calls/s%n",
                calls,
                episodes,
                seconds,
                calls / seconds);
        System.out.println("misuse: successes/failures: " + tally);
        // The kernel's device does not have every verb, and a run on it is shorter.
        Set<String> verbs = DevicesUnderTest.areNative()
                ? Set.of("reg_mr", "create_qp", "modify_qp", "post_send", "post_recv", "poll_cq")
                : Answers.verbs();
        for (String verb : verbs) {
            assertThat(tally.successes(verb)).as(verb).isPositive();
        }
        assertThat(tally.successes("a completion")).isPositive();
    }

    private static int threads(long seed) {
        return (seed & 3) == 0 ? 1 : 4;
    }
}
