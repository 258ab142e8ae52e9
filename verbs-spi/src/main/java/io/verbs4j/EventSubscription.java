/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Passes events to a handler, so that no thread of the program has to wait for them: see
 * {@link CompletionChannel#subscribe} and {@link Context#subscribe}.
 *
 * <p>A daemon thread waits for the events, one after the other, and passes each to the executor; only the executor runs
 * the program's code. What a handler throws is logged ({@link System.Logger}, level ERROR) and passed on to the
 * executor. If the executor rethrows it, as one that runs the handler at once does, the subscription ends with it. May
 * be used from any thread.
 */
public final class EventSubscription implements AutoCloseable {
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private final Thread thread;
    private volatile boolean closed;

    /** The exception that the handler threw last; it is in the log. */
    private volatile Throwable logged;

    private EventSubscription(String name, Runnable loop) {
        thread = new Thread(
                () -> {
                    try {
                        loop.run();
                    } catch (Throwable e) {
                        ended(e);
                    }
                },
                name);
        thread.setDaemon(true);
    }

    /**
     * Starts to pass events from a source of another kind, such as a connection manager. Since level 3.
     *
     * @param <E> the type of event
     * @param source where the events come from; names the thread
     * @param next waits for the next event. It returns null when its wait was woken, and is then called again. It
     *     throws {@link VerbsException} with {@link Errno#EBADF} once the source is closed, which ends the
     *     subscription, and with {@link Errno#EINTR} when the thread is interrupted, as {@link #close()} does
     * @param executor runs the handler; {@code Runnable::run} runs it in the subscription's own thread
     * @param handler takes the event; its exceptions go where the executor's exceptions go
     * @return the subscription; close it to end it
     */
    public static <E> EventSubscription of(
            Object source, Supplier<? extends E> next, Executor executor, Consumer<? super E> handler) {
        Objects.requireNonNull(executor, "executor");
        Objects.requireNonNull(handler, "handler");
        EventSubscription[] self = new EventSubscription[1];
        Runnable loop = () -> {
            while (true) {
                E event = next.get();
                if (event != null) { // null means that the wait was woken
                    executor.execute(() -> self[0].handle(handler, event));
                }
            }
        };
        self[0] = new EventSubscription("verbs4j-events of " + source, loop);
        self[0].thread.start();
        return self[0];
    }

    private <E> void handle(Consumer<? super E> handler, E event) {
        if (closed) {
            return;
        }
        try {
            handler.accept(event);
        } catch (Throwable e) {
            // The executor may report it nowhere, and few programs check how a subscription ended.
            log("the handler of " + thread.getName() + " failed", e);
            logged = e;
            throw e;
        }
    }

    private static void log(String what, Throwable e) {
        try {
            System.getLogger(EventSubscription.class.getName()).log(System.Logger.Level.ERROR, what, e);
        } catch (Throwable broken) {
            e.addSuppressed(broken); // a broken logger must not hide what it had to log
        }
    }

    private void ended(Throwable reason) {
        int errno = reason instanceof VerbsException e ? e.errno() : 0;
        if (closed || errno == Errno.EBADF) {
            end.complete(null);
        } else {
            if (reason != logged) {
                log("no more events will be delivered: " + thread.getName() + " has ended", reason);
            }
            end.completeExceptionally(reason);
        }
    }

    /**
     * Returns a stage that completes when no more events come.
     *
     * @return a stage that completes normally when the subscription or its source is closed; otherwise exceptionally,
     *     with what ended it: a {@link VerbsException} of the wait, or what the executor threw, for instance after its
     *     shutdown. That is logged, too
     */
    public CompletionStage<Void> ended() {
        return end.minimalCompletionStage();
    }

    /**
     * Ends the subscription: no more events are passed. An event that was fetched but not yet passed is lost, so arm
     * and poll the queues once afterwards. Does not wait for a running handler. Closing again does nothing.
     */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
