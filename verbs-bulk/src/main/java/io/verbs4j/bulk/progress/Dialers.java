/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.progress;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Daemon threads that reconnect after a delay and end when they are idle. */
final class Dialers {
    private static final int THREADS = 8;
    private static final System.Logger LOG = System.getLogger("io.verbs4j.bulk");

    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(THREADS, task -> {
        Thread thread = new Thread(task, "bulk-reconnect");
        thread.setDaemon(true);
        return thread;
    });

    Dialers() {
        executor.setKeepAliveTime(1, TimeUnit.SECONDS);
        executor.allowCoreThreadTimeOut(true);
    }

    void schedule(Runnable task, long nanos) {
        try {
            var unused = executor.schedule(task, nanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            LOG.log(System.Logger.Level.DEBUG, "the endpoint is closed", e);
        }
    }

    /** Interrupts running tasks and drops scheduled ones. */
    void close() {
        var unused = executor.shutdownNow();
    }
}
