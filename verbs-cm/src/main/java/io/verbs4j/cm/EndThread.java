/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm;

import java.lang.System.Logger.Level;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Does the work that follows the end of a connection, in one thread for all connections of the process, because the
 * threads that report the end hold locks. The thread ends after a second without work.
 */
final class EndThread {
    private static final ThreadPoolExecutor THREAD = create();

    private EndThread() {}

    private static ThreadPoolExecutor create() {
        ThreadPoolExecutor executor =
                new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), EndThread::thread);
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    private static Thread thread(Runnable body) {
        Thread thread = new Thread(null, body, "verbs4j-cm-end", 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(EndThread.class.getClassLoader()); // not the caller's, which it would keep alive
        return thread;
    }

    /** Schedules a task. Does not wait. */
    static void execute(Runnable task) {
        try {
            THREAD.execute(task);
        } catch (OutOfMemoryError e) { // the system cannot create a thread; callers hold locks
            System.getLogger(EndThread.class.getName())
                    .log(Level.WARNING, "a queue pair could not be moved to ERR after its connection ended", e);
        }
    }
}
