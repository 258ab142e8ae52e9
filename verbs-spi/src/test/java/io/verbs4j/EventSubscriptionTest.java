/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.testsupport.Patience;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Events that are passed to a handler: where it runs, and what ends a subscription. */
@Timeout(Patience.TEST_SECONDS)
class EventSubscriptionTest {
    private static final class Dev extends Device {
        Dev() {
            super("fake0", 1, NodeType.CA, TransportType.IB);
        }
    }

    private static final class Source extends Context {
        Source() {
            super(new Dev(), new OpenAttr());
        }

        @Override
        protected ContextOps libraryOps() {
            throw new UnsupportedOperationException();
        }
    }

    private static final String END = "end";

    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> handled = new LinkedBlockingQueue<>();

    /** A wait for events: fails with EINTR when interrupted, with EBADF when closed. */
    private String next() {
        try {
            String event = events.take();
            if (event.equals(END)) {
                throw new VerbsException(Errno.EBADF, "get_cq_event", "closed");
            }
            return event;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new VerbsException(Errno.EINTR, "get_cq_event", "interrupted", e);
        }
    }

    private EventSubscription subscribe(Executor executor) {
        return EventSubscription.of(new Source(), this::next, executor, handled::add);
    }

    @Test
    void executorRunsHandlerForEachEventInOrder() throws Exception {
        BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
        try (EventSubscription subscription = subscribe(tasks::add)) {
            events.add("a");
            events.add("b");
            Runnable first = tasks.take();
            Runnable second = tasks.take();
            assertThat(handled).isEmpty();
            first.run();
            second.run();
            assertThat(handled).containsExactly("a", "b");
            assertThat(subscription.ended().toCompletableFuture()).isNotDone();
        }
    }

    @Test
    void closingSourceEndsSubscriptionNormally() throws Exception {
        EventSubscription subscription = subscribe(Runnable::run);
        events.add("a");
        events.add(END);

        subscription.ended().toCompletableFuture().get();
        assertThat(handled).containsExactly("a");
    }

    @Test
    void closedSubscriptionPassesNoMoreEvents() throws Exception {
        BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
        EventSubscription subscription = subscribe(tasks::add);
        events.add("late");
        Runnable late = tasks.take();

        subscription.close();
        subscription.close();
        subscription.ended().toCompletableFuture().get();
        late.run();

        assertThat(handled).isEmpty();
    }

    @Test
    void rejectingExecutorEndsSubscription() {
        try (Log log = new Log()) {
            EventSubscription subscription = subscribe(task -> {
                throw new RejectedExecutionException("shut down");
            });
            events.add("a");

            assertThatThrownBy(() -> subscription.ended().toCompletableFuture().get())
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(RejectedExecutionException.class);
            assertThat(log.records)
                    .singleElement()
                    .satisfies(entry -> assertThat(entry.getMessage()).contains("no more events will be delivered"));
        }
    }

    /** What the class logs while the test runs. */
    private static final class Log extends Handler implements AutoCloseable {
        private final Logger logger = Logger.getLogger(EventSubscription.class.getName());
        private final BlockingQueue<LogRecord> records = new LinkedBlockingQueue<>();

        Log() {
            logger.setUseParentHandlers(false);
            logger.addHandler(this);
        }

        @Override
        public void publish(LogRecord entry) {
            records.add(entry);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {
            logger.removeHandler(this);
            logger.setUseParentHandlers(true);
        }
    }

    @Test
    void throwingHandlerIsLoggedOnceAndEndsDirectSubscription() throws Exception {
        IllegalStateException oops = new IllegalStateException("oops");
        try (Log log = new Log()) {
            EventSubscription subscription = EventSubscription.of(new Source(), this::next, Runnable::run, event -> {
                throw oops;
            });
            events.add("a");

            assertThatThrownBy(() -> subscription.ended().toCompletableFuture().get())
                    .hasCause(oops);
            LogRecord entry = log.records.take();
            assertThat(entry.getThrown()).isSameAs(oops);
            assertThat(entry.getLevel()).isEqualTo(Level.SEVERE);
            assertThat(entry.getMessage()).contains("the handler of verbs4j-events of ", "fake0", " failed");
            assertThat(log.records).isEmpty();
        }
    }

    @Test
    void exceptionSwallowedByExecutorIsLogged() throws Exception {
        BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
        try (Log log = new Log();
                EventSubscription subscription = EventSubscription.of(new Source(), this::next, tasks::add, event -> {
                    throw new IllegalStateException(event);
                })) {
            events.add("a");
            assertThatThrownBy(tasks.take()::run).hasMessage("a");
            assertThat(log.records.take().getThrown()).hasMessage("a");
            events.add("b");
            assertThatThrownBy(tasks.take()::run).hasMessage("b");
            assertThat(subscription.ended().toCompletableFuture()).isNotDone();
        }
    }

    @Test
    void threadIsDaemonNamedAfterSource() throws Exception {
        BlockingQueue<Thread> threads = new LinkedBlockingQueue<>();
        CountDownLatch done = new CountDownLatch(1);
        EventSubscription subscription = EventSubscription.of(new Source(), this::next, Runnable::run, event -> {
            threads.add(Thread.currentThread());
            done.countDown();
        });
        events.add("a");

        assertThat(done.await(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(threads.take())
                .matches(Thread::isDaemon)
                .extracting(Thread::getName)
                .asString()
                .contains("fake0");
        subscription.close();
    }
}
