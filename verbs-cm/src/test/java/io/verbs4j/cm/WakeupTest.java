/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.testsupport.OwnThreads;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waits at a channel without events, and how they end. */
@Timeout(60)
class WakeupTest {
    @Test
    void wakeupEndsOneWaitOrIsKeptForNext() throws Exception {
        try (EventChannel channel = EventChannel.create()) {
            channel.wakeup();
            channel.wakeup();
            assertThat(channel.getEvent(0, TimeUnit.SECONDS)).isNull();
            assertThat(channel.getEvent()).as("kept by a look").isNull();
            assertThat(channel.getEvent(1, TimeUnit.MILLISECONDS))
                    .as("two wakeups count as one")
                    .isNull();
            CompletableFuture<CmEvent> waiting = OwnThreads.supply(channel::getEvent);
            CompletableFuture<CmEvent> another = OwnThreads.supply(() -> channel.getEvent(1, TimeUnit.DAYS));
            channel.wakeup();
            CompletableFuture.anyOf(waiting, another).get(30, TimeUnit.SECONDS);
            channel.wakeup(); // whichever of them is left
            assertThat(waiting.get(30, TimeUnit.SECONDS)).isNull();
            assertThat(another.get(30, TimeUnit.SECONDS)).isNull();
        }
    }

    /** Such as the waits of connecting. */
    @Test
    @SuppressWarnings("try") // closing before the end ends the wait
    void internalWaitsAreNotWoken() throws Exception {
        try (EventChannel channel = EventChannel.create()) {
            channel.wakeup();
            assertThat(channel.get("connect", TimeUnit.MILLISECONDS.toNanos(20)))
                    .isNull();
            assertThat(channel.getEvent())
                    .as("the wake-up is left to the program")
                    .isNull();
            CompletableFuture<CmEvent> ours = OwnThreads.supply(() -> channel.get("connect", TimeUnit.DAYS.toNanos(1)));
            CompletableFuture<CmEvent> theirs = OwnThreads.supply(channel::getEvent);
            channel.wakeup();
            assertThat(theirs.get(30, TimeUnit.SECONDS)).isNull();
            assertThat(ours).isNotDone();
            channel.close();
            assertThatThrownBy(() -> ours.get(30, TimeUnit.SECONDS)).hasCauseInstanceOf(VerbsException.class);
        }
    }

    @Test
    void closedChannelRefusesAction() {
        EventChannel channel = EventChannel.create();
        AtomicInteger runs = new AtomicInteger();
        channel.onEvent(runs::incrementAndGet);
        channel.close();
        channel.wakeup();
        assertThat(runs).hasValue(0);
        assertThatThrownBy(() -> channel.onEvent(runs::incrementAndGet))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBADF));
    }

    @Test
    void failingActionIsContained() {
        Actions.run(
                () -> {
                    throw new StackOverflowError("thrown by the program");
                },
                "a test");
        AtomicInteger runs = new AtomicInteger();
        Actions.run(runs::incrementAndGet, "a test");
        Actions.run(null, "a test");
        assertThat(runs).hasValue(1);
    }
}
