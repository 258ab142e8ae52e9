/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.discovery;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Calls providers in another thread, a daemon with the caller's context class loader. One thread serves many calls,
 * because starting one takes longer than most calls. If a provider hangs, its thread is abandoned and ends when the
 * provider returns; the next call gets a new one. It is not interrupted, because that could leave the provider's
 * classes half initialised for ever.
 *
 * <p>For one calling thread; close it after use.
 */
final class Asker implements AutoCloseable {
    private final TimeLimit limit;

    /** Null if there is none yet, or the last one hangs. */
    private Worker worker;

    /**
     * Starts no thread yet.
     *
     * @param limit how long to wait for each answer
     */
    Asker(TimeLimit limit) {
        this.limit = limit;
    }

    TimeLimit limit() {
        return limit;
    }

    /**
     * Calls a provider and waits for the answer, within the limit.
     *
     * @param provider the provider's name or class, for the thread's name
     * @param body the call; may throw what cannot be contained
     * @return the call; done, unless the provider hangs
     */
    <T> ProviderCall<T> ask(String provider, Supplier<T> body) {
        ProviderCall<T> call = new ProviderCall<>(body);
        try {
            give("verbs4j-provider-" + provider, call);
        } catch (OutOfMemoryError e) {
            call.run(); // no more threads: call here, without a limit
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

    /** Ends the thread as soon as the provider has returned. */
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

        /** Passes on the next call; the previous one must be done. */
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
                    next = null; // before the call is done, after which another may come
                    call.run();
                } else if (ending) {
                    return;
                } else {
                    LockSupport.park(this);
                }
                Thread.interrupted(); // a provider may have left an interrupt behind
            }
        }
    }
}
