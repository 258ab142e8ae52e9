/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Events that are handed to a program, instead of a thread of the program's waiting for them: see {@link
 * CompletionChannel#subscribe} and {@link Context#subscribe}.
 *
 * <p>A daemon thread waits for the events, one after the other, and gives each to the executor. The program's code runs in the
 * executor alone. What a handler throws is logged ({@link System.Logger}, level ERROR) and passed on to the executor;
 * where that hands it back, as one does that runs the handler at once, the subscription ends with it. May be used by
 * any thread.
 */
public final class EventSubscription implements AutoCloseable {
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private final Thread thread;
    private volatile boolean closed;

    /** What the handler has thrown last, which is in the log. */
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
     * Begins to hand events over; for whoever has a source of events of another kind, as connection managers do. Since
     * level 3.
     *
     * @param <E> the kind of event
     * @param source where the events come from; names the thread
     * @param next waits for the next event. It returns null when its wait was woken, and is then called again. It
     *     throws {@link VerbsException} with {@link Errno#EBADF} once the source is closed, which ends the
     *     subscription, and with {@link Errno#EINTR} when the thread is interrupted, as {@link #close()} does
     * @param executor where the handler runs; {@code Runnable::run} is the subscription's own thread
     * @param handler takes the event; an exception of it goes where the executor's exceptions go
     * @return the subscription, to be closed
     */
    public static <E> EventSubscription of(
            Object source, Supplier<? extends E> next, Executor executor, Consumer<? super E> handler) {
        Objects.requireNonNull(executor, "executor");
        Objects.requireNonNull(handler, "handler");
        EventSubscription[] self = new EventSubscription[1];
        Runnable loop = () -> {
            while (true) {
                E event = next.get();
                if (event != null) { // else the wait was woken
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
            // The executor may tell nobody, and few look at how a subscription has ended.
            log("the handler of " + thread.getName() + " has failed", e);
            logged = e;
            throw e;
        }
    }

    private static void log(String what, Throwable e) {
        try {
            System.getLogger(EventSubscription.class.getName()).log(System.Logger.Level.ERROR, what, e);
        } catch (Throwable broken) {
            e.addSuppressed(broken); // a logger must not hide what it was to tell
        }
    }

    private void ended(Throwable reason) {
        int errno = reason instanceof VerbsException e ? e.errno() : 0;
        if (closed || errno == Errno.EBADF) {
            end.complete(null);
        } else {
            if (reason != logged) {
                log("no more events are handed over: " + thread.getName() + " has ended", reason);
            }
            end.completeExceptionally(reason);
        }
    }

    /**
     * When no more events come.
     *
     * @return a stage that completes when the subscription or its source was closed; exceptionally with what ended it otherwise:
     *     a {@link VerbsException} of the wait, or what the executor threw, for instance when it was shut down; that
     * is logged, too
     */
    public CompletionStage<Void> ended() {
        return end.minimalCompletionStage();
    }

    /**
     * Ends the subscription: no event is handed over any more. One that had been fetched and not yet handed over is lost, so
     * arm and poll the queues once afterwards. Does not wait for a handler that is running. Closing again does nothing.
     */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
