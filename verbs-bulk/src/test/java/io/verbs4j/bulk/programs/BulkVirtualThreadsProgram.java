/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.programs;

import io.verbs4j.Context;
import io.verbs4j.VerbsLevel;
import io.verbs4j.bulk.BulkBuffer;
import io.verbs4j.bulk.BulkCompletion;
import io.verbs4j.bulk.BulkConfig;
import io.verbs4j.bulk.BulkEndpoint;
import io.verbs4j.bulk.BulkFutures;
import io.verbs4j.bulk.BulkPeer;
import io.verbs4j.bulk.BulkProgress;
import io.verbs4j.bulk.BulkRing;
import io.verbs4j.core.Verbs;
import io.verbs4j.testsupport.Patience;
import io.verbs4j.testsupport.program.VirtualThreads;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/** A thousand virtual threads share one carrier, each waiting for a completion that a later thread causes. */
public final class BulkVirtualThreadsProgram {
    private static final int THREADS = 1000;
    private static final int LENGTH = 64;

    /** Maximum seconds of all waits; the program ends if a thread blocks the carrier. */
    private static final int PATIENCE = 60;

    private final BulkEndpoint sender;
    private final BulkEndpoint receiver;
    private final BulkPeer toReceiver;
    private final BulkPeer toSender;
    private final BulkBuffer from;
    private final BulkBuffer into;
    private final AtomicInteger completed = new AtomicInteger();

    private BulkVirtualThreadsProgram() {
        Context context = Verbs.open(Verbs.defaultDevice(), VerbsLevel.CURRENT);
        BulkConfig config = BulkConfig.of(context).withProgress(BulkProgress.SERVICE);
        sender = BulkEndpoint.open(config);
        receiver = BulkEndpoint.open(config.withAddress(new InetSocketAddress(0)));
        toReceiver = sender.connect(receiver.address(), PATIENCE, TimeUnit.SECONDS);
        for (int turn = 0; receiver.peer(0) == null; turn++) {
            Patience.pause(turn);
        }
        toSender = receiver.peer(0);
        from = sender.allocate(THREADS * LENGTH);
        into = receiver.allocate(THREADS * LENGTH);
    }

    public static void main(String[] args) throws Exception {
        BulkVirtualThreadsProgram program = new BulkVirtualThreadsProgram();
        program.run("rings", program::receive, program::send);
        program.runFutures();
        System.exit(0); // even if a thread still waits
    }

    /** Lets the first half of the threads wait for the second half. */
    private void run(String what, IntConsumer first, IntConsumer second) throws InterruptedException {
        completed.set(0);
        List<Thread> threads = new ArrayList<>();
        for (int n = 0; n < THREADS; n++) {
            int number = n % (THREADS / 2);
            IntConsumer part = n < THREADS / 2 ? first : second;
            threads.add(VirtualThreads.start(() -> part.accept(number)));
        }
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE);
        for (Thread thread : threads) {
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
        }
        System.out.println(what + ": " + completed + " of " + THREADS + " have completed");
    }

    private void receive(int number) {
        BulkRing ring = receiver.ring(2);
        int at = number * LENGTH;
        ring.receive(ring.next(), toSender, number, into, at, LENGTH, number);
        ring.submit();
        await(ring);
        if (into.bytes().getLong(at) == number + 1) {
            completed.incrementAndGet();
        }
    }

    private void send(int number) {
        BulkRing ring = sender.ring(2);
        int at = number * LENGTH;
        from.bytes().putLong(at, number + 1);
        ring.send(ring.next(), toReceiver, number, from, at, LENGTH, number);
        ring.submit();
        await(ring);
        completed.incrementAndGet();
    }

    private static void await(BulkRing ring) {
        if (!ring.await(PATIENCE, TimeUnit.SECONDS) || ring.result(ring.peek()) != LENGTH) {
            throw new IllegalStateException("no good completion");
        }
        ring.advance(1);
    }

    /** Another virtual thread completes all futures. */
    private void runFutures() throws Exception {
        BulkFutures receives = new BulkFutures(receiver.ring(1024), (userData, result, flags, peer, value) -> {});
        BulkFutures sends = new BulkFutures(sender.ring(1024), (userData, result, flags, peer, value) -> {});
        AtomicInteger left = new AtomicInteger(THREADS);
        VirtualThreads.start(() -> dispatch(receives, left));
        VirtualThreads.start(() -> dispatch(sends, left));
        run(
                "futures",
                number -> await(
                        receives.submit((ring, entry, userData) ->
                                ring.receive(entry, toSender, number, into, (long) number * LENGTH, LENGTH, userData)),
                        left),
                number -> await(
                        sends.submit((ring, entry, userData) ->
                                ring.send(entry, toReceiver, number, from, (long) number * LENGTH, LENGTH, userData)),
                        left));
    }

    private static void dispatch(BulkFutures futures, AtomicInteger left) {
        while (left.get() > 0) {
            futures.dispatch(PATIENCE, TimeUnit.MILLISECONDS);
        }
    }

    private void await(CompletableFuture<BulkCompletion> future, AtomicInteger left) {
        try {
            if (future.get(PATIENCE, TimeUnit.SECONDS).bytes() == LENGTH) {
                completed.incrementAndGet();
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        } finally {
            left.decrementAndGet();
        }
    }
}
