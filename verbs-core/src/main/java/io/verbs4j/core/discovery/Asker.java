/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.discovery;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Asks providers in a thread beside the caller's, which has the caller's class loader and keeps no JVM from ending. It is one for many questions, as
 * to begin a thread takes longer than most answers. One in which a provider hangs is left alone, and ends when the provider returns: an interrupt could
 * leave the provider's classes half initialised for ever. The next question has another.
 *
 * <p>For one thread; to be closed.
 */
final class Asker implements AutoCloseable {
    private final TimeLimit limit;

    /** Null where there is none yet, or the last one hangs. */
    private Worker worker;

    /**
     * Begins no thread yet.
     *
     * @param limit how long each answer is waited for
     */
    Asker(TimeLimit limit) {
        this.limit = limit;
    }

    TimeLimit limit() {
        return limit;
    }

    /**
     * Asks, and waits for the answer as long as the limit says.
     *
     * @param provider the provider's name or class, for the thread's name
     * @param body what is done; may throw what can't be contained
     * @return the call; done, unless the provider hangs
     */
    <T> ProviderCall<T> ask(String provider, Supplier<T> body) {
        ProviderCall<T> call = new ProviderCall<>(body);
        try {
            give("verbs4j-provider-" + provider, call);
        } catch (OutOfMemoryError e) {
            call.run(); // no more threads: then it is asked here, as long as it takes
        }
        if (!call.await(limit)) {
            close();
        }
        return call;
    }

    private void give(String name, ProviderCall<?> call) {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        if (worker != null) {
            worker.thread.setName(name);
            worker.thread.setContextClassLoader(loader);
            worker.next(call);
            return;
        }
        Worker begun = new Worker(name, loader, call);
        begun.thread.start();
        worker = begun;
    }

    /** Lets the thread end, once the provider has returned. */
    @Override
    public void close() {
        if (worker != null) {
            worker.end();
            worker = null;
        }
    }

    private static final class Worker implements Runnable {
        private final Thread thread;
        private volatile ProviderCall<?> next;
        private volatile boolean ending;

        Worker(String name, ClassLoader loader, ProviderCall<?> first) {
            next = first;
            thread = new Thread(this, name);
            thread.setDaemon(true);
            thread.setContextClassLoader(loader);
        }

        /** The call before is done. */
        void next(ProviderCall<?> call) {
            next = call;
            LockSupport.unpark(thread);
        }

        void end() {
            ending = true;
            LockSupport.unpark(thread);
        }

        @Override
        public void run() {
            while (true) {
                ProviderCall<?> call = next;
                if (call != null) {
                    next = null; // before it is done: then there may be another
                    call.run();
                } else if (ending) {
                    return;
                } else {
                    LockSupport.park(this);
                }
                Thread.interrupted(); // which a provider may leave behind, and is not the next one's
            }
        }
    }
}
