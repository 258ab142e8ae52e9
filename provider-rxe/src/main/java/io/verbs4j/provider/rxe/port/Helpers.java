/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.port;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The threads of a port for slow work. They start when needed and end when idle. */
final class Helpers {
    /** More would not make a disk faster. */
    private static final int THREADS = 4;

    private static final long IDLE_SECONDS = 10;

    private Helpers() {}

    /** Creates the executor; its threads get the name. */
    static Executor of(String name) {
        ThreadPoolExecutor made = new ThreadPoolExecutor(
                THREADS, THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), body -> {
                    Thread thread = new Thread(body, name);
                    thread.setDaemon(true);
                    return thread;
                });
        made.allowCoreThreadTimeOut(true);
        return made;
    }
}
