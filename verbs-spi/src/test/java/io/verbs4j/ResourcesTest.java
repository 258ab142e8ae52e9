/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Resources closes several objects in the right order. */
@Timeout(20)
class ResourcesTest {
    private final List<String> closed = Collections.synchronizedList(new ArrayList<>());
    private final Resources resources = new Resources();

    private AutoCloseable named(String name) {
        return () -> closed.add(name);
    }

    @Test
    void lastResourceIsClosedFirst() {
        resources.add(named("a"));
        AutoCloseable b = resources.add(named("b"));
        resources.add(named("c"));
        resources.close(b);
        resources.close(b);
        resources.close();
        resources.close();
        assertThat(closed).containsExactly("b", "c", "a");
    }

    @Test
    void allResourcesCloseDespiteFailures() {
        resources.add(named("a"));
        resources.add(() -> {
            throw new IOException("second");
        });
        resources.add(() -> {
            throw new VerbsException(Errno.EBUSY, "first", "");
        });
        assertThatThrownBy(resources::close)
                .isInstanceOf(VerbsException.class)
                .satisfies(e -> assertThat(e.getSuppressed()[0]).hasRootCauseMessage("second"));
        assertThat(closed).containsExactly("a");
    }

    @Test
    void failedOpenClosesEarlierResources() {
        resources.add(named("a"));
        assertThat(resources.open(() -> named("b"))).isNotNull();
        assertThatThrownBy(() -> resources.open(() -> {
                    throw new VerbsException(Errno.ECONNREFUSED, "connect", "");
                }))
                .isInstanceOf(VerbsException.class);
        assertThat(closed).containsExactly("b", "a");
        assertThatThrownBy(() -> resources.add(named("late"))).hasMessageContaining("closed");
        assertThat(closed).containsExactly("b", "a", "late");
    }

    /** A resource that another thread is closing may use those added before it. */
    @Test
    void closeWaitsForOtherThreads() throws InterruptedException {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AutoCloseable slow = resources.add(() -> {
            inside.countDown();
            goOn.await();
            closed.add("slow");
        });
        Thread other = new Thread(() -> resources.close(slow));
        other.start();
        inside.await();
        Thread all = new Thread(() -> {
            resources.close();
            closed.add("all");
        });
        all.start();
        while (all.getState() != Thread.State.WAITING) {
            assertThat(all.isAlive()).as("close waits").isTrue();
            Thread.onSpinWait();
        }
        goOn.countDown();
        all.join();
        other.join();
        assertThat(closed).containsExactly("slow", "all");
    }
}
