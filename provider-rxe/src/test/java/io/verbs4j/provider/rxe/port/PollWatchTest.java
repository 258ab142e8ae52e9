/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.port;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Whether a program polls, as a link's own thread sees it; the times are the test's. */
class PollWatchTest {
    private static final long PATIENCE = 1_000_000;

    private final AtomicLong polls = new AtomicLong(7);
    private final PollWatch watch = new PollWatch(polls, PATIENCE);
    private final long start = System.nanoTime();

    @Test
    void programThatHasNotPolledDoesNotPoll() {
        assertThat(watch.isPolled(start)).isFalse();
    }

    @Test
    void programPollsUntilPatienceEnds() {
        PollWatch.count(polls);
        assertThat(watch.isPolled(start)).isTrue();
        assertThat(watch.isPolled(start + PATIENCE - 1)).isTrue();
        assertThat(watch.isPolled(start + PATIENCE)).isFalse();
    }

    /** A poll counts from when the thread sees it, however long ago it was. */
    @Test
    void eachPollRenewsPatience() {
        PollWatch.count(polls);
        assertThat(watch.isPolled(start)).isTrue();
        PollWatch.count(polls);
        PollWatch.count(polls);
        assertThat(watch.isPolled(start + 5 * PATIENCE)).isTrue();
        assertThat(watch.isPolled(start + 6 * PATIENCE - 1)).isTrue();
        assertThat(watch.isPolled(start + 6 * PATIENCE)).isFalse();
    }
}
