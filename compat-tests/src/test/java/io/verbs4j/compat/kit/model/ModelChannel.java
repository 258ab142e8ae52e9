/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** The model's completion channel, and how it waits. */
final class ModelChannel extends CompletionChannel {
    final Deque<CompletionQueue> events = new ArrayDeque<>();
    boolean closed;

    ModelChannel(Context context) {
        super(context);
    }

    static <T> T await(String verb, Deque<T> events, BooleanSupplier closed, long timeoutNanos) {
        long end = System.nanoTime() + timeoutNanos;
        synchronized (Fabric.LOCK) {
            while (events.isEmpty()) {
                if (closed.getAsBoolean()) {
                    throw new VerbsException(Errno.EBADF, verb, "it is closed");
                }
                long left = timeoutNanos < 0 ? Long.MAX_VALUE : end - System.nanoTime();
                if (left <= 0) {
                    return null;
                }
                try {
                    TimeUnit.NANOSECONDS.timedWait(Fabric.LOCK, Math.min(left, 1_000_000_000) + 1_000_000);
                } catch (InterruptedException e) {
                    if (!Fault.IGNORES_INTERRUPT.on()) {
                        Thread.currentThread().interrupt();
                        throw new VerbsException(Errno.EINTR, verb, "interrupted", e);
                    }
                }
            }
            return events.poll();
        }
    }
}
