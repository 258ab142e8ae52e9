/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.kv;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.WaitingQueue;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The thread that waits for completions: each is a put, and names its slot by the immediate number. */
final class Watcher extends Thread {
    private static final int BATCH = 32;

    private final WaitingQueue queue;
    private final Receives receives;
    private final ByteBuffer table;
    private volatile long puts;

    Watcher(WaitingQueue queue, Receives receives, ByteBuffer table) {
        super("completions");
        this.queue = queue;
        this.receives = receives;
        this.table = table;
    }

    long puts() {
        return puts;
    }

    @Override
    public void run() {
        WorkCompletion[] completions = batch();
        try {
            while (true) {
                handle(completions, queue.await(completions, 1, TimeUnit.HOURS));
            }
        } catch (VerbsException e) {
            if (e.errno() != Errno.EINTR) {
                throw e;
            }
        }
    }

    /**
     * Handles what there is, in the caller's thread: a queue pair that is destroyed takes along those of its
     * completions that nobody has polled.
     */
    void drain() {
        WorkCompletion[] completions = batch();
        int count;
        do {
            count = queue.poll(completions);
            handle(completions, count);
        } while (count > 0);
    }

    private static WorkCompletion[] batch() {
        return Stream.generate(WorkCompletion::new).limit(BATCH).toArray(WorkCompletion[]::new);
    }

    private void handle(WorkCompletion[] completions, int count) {
        receives.giveBack(count); // at once: without receives the clients wait
        synchronized (this) {
            for (int i = 0; i < count; i++) {
                handle(completions[i]);
            }
        }
    }

    private void handle(WorkCompletion completion) {
        if (completion.status() != WcStatus.SUCCESS) {
            System.err.println(completion);
        } else if (completion.opcode() == WcOpcode.RECV_RDMA_WITH_IMM) {
            // The data was there before the completion. By now there may be newer data, or some of it: then its own
            // completion follows.
            int number = completion.immData();
            int offset = number / Layout.SLOTS * Layout.BUCKET_SIZE + Layout.slotInBucket(number % Layout.SLOTS);
            if (Slot.read(table, offset).state() == Slot.State.FREE) {
                System.err.println("slot " + number + " was put, and is empty");
            } else {
                puts++;
            }
        }
    }

    /** Ends the thread. */
    void close() throws InterruptedException {
        interrupt();
        join();
    }
}
