/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.progress;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Drives an engine by a thread of its own, or by the program's. */
public final class Driver {
    private static final long CLOSE_PATIENCE = TimeUnit.SECONDS.toNanos(10);

    private static final long STOPPING_SLEEP = TimeUnit.MILLISECONDS.toNanos(10);
    private static final System.Logger LOG = System.getLogger("io.verbs4j.bulk");

    private final Engine engine;
    private final long spinNanos;

    /** The engine's own thread, or null if the program drives. */
    private final Thread service;

    private volatile boolean stopping;
    private volatile boolean stopped;

    /**
     * Creates a driver.
     *
     * @param serviceName name of the thread, or null if the program drives
     * @param spinNanos time that an idle thread spins before it sleeps
     */
    public Driver(Engine engine, String serviceName, long spinNanos) {
        this.engine = engine;
        this.spinNanos = spinNanos;
        if (serviceName == null) {
            service = null;
        } else {
            service = new Thread(this::serve, serviceName);
            service.setDaemon(true);
            service.start();
        }
    }

    public Engine engine() {
        return engine;
    }

    /** Whether the engine has its own thread. */
    public boolean isService() {
        return service != null;
    }

    /** Whether the engine has ended. Its effects are visible then. */
    public boolean isStopped() {
        return stopped;
    }

    private void serve() {
        try {
            run();
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.ERROR, service.getName() + " failed; its endpoint is shut down", e);
            stopping = true;
            run(); // ends whatever can be ended
        } finally {
            stopped = true;
            engine.runTasks(); // from threads that have not seen the end
        }
    }

    private void run() {
        long idleSince = 0;
        while (!stopping || !engine.isEmpty()) {
            if (stopping) {
                engine.transfers().shutDown(); // includes connections that were being made
            }
            if (engine.turn() || engine.isBusy()) {
                idleSince = 0;
            } else if (idleSince == 0) {
                idleSince = System.nanoTime();
            } else if (System.nanoTime() - idleSince < spinNanos) {
                Thread.onSpinWait();
            } else {
                engine.sleep(stopping ? STOPPING_SLEEP : Long.MAX_VALUE);
                idleSince = 0;
            }
        }
    }

    /** Waits for a condition while the program drives. Returns whether it holds; ends early if interrupted. */
    public boolean drive(BooleanSupplier condition, long nanos) {
        long start = System.nanoTime();
        long idleSince = start;
        while (!condition.getAsBoolean()) {
            long now = System.nanoTime();
            if (now - start >= nanos || Thread.currentThread().isInterrupted()) {
                return false;
            }
            if (engine.turn() || engine.isBusy()) {
                idleSince = now;
            } else if (now - idleSince < spinNanos) {
                Thread.onSpinWait();
            } else {
                engine.sleep(nanos - (now - start));
                idleSince = System.nanoTime();
            }
        }
        return true;
    }

    /** Runs a task while nothing else uses the engine, and waits for its result. */
    public <T> T call(Supplier<T> task) {
        if (service == null || stopped) {
            return task.get();
        }
        CompletableFuture<T> result = new CompletableFuture<>();
        AtomicBoolean begun = new AtomicBoolean();
        Runnable once = () -> {
            if (begun.compareAndSet(false, true)) {
                complete(result, task);
            }
        };
        engine.execute(once);
        if (stopped) {
            once.run(); // the thread may have checked the tasks before
        }
        return await(result);
    }

    private static <T> void complete(CompletableFuture<T> result, Supplier<T> task) {
        try {
            result.complete(task.get());
        } catch (RuntimeException | Error e) {
            result.completeExceptionally(e);
        }
    }

    private static <T> T await(CompletableFuture<T> result) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return result.get();
                } catch (InterruptedException e) {
                    interrupted = true; // the engine answers soon
                } catch (ExecutionException e) {
                    if (e.getCause() instanceof RuntimeException failure) {
                        throw failure;
                    }
                    throw new IllegalStateException(e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Ends all connections, then the engine. All submitted entries have completed afterwards. */
    public void stop() {
        if (service == null) {
            long start = System.nanoTime();
            engine.transfers().shutDown();
            while (!engine.isEmpty() && System.nanoTime() - start < CLOSE_PATIENCE) {
                engine.transfers().shutDown(); // includes connections that were being made
                if (!engine.turn()) {
                    Thread.onSpinWait();
                }
            }
        } else {
            stopping = true;
            engine.execute(engine.transfers()::shutDown);
            engine.wake();
            join();
        }
        stopped = true;
    }

    /** Runs the tasks left since the engine has ended; no other thread uses the engine any more. */
    public void finish() {
        boolean unused = engine.runTasks();
    }

    private void join() {
        boolean interrupted = false;
        while (service.isAlive()) {
            try {
                service.join();
            } catch (InterruptedException e) {
                interrupted = true; // connections end in bounded time
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
