/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty.vertx;

import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;
import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;

/**
 * Waits for the NIO channels of all loops without a selector, and hands ready ones to their loops. Runs while there are
 * such channels. May be used by any thread.
 */
final class SelectorThread extends Thread {
    /** Name of the thread. */
    static final String NAME = "verbs-netty-selector";

    private static final InternalLogger LOGGER = InternalLoggerFactory.getInstance(SelectorThread.class);

    /** Guarded by the class; null while there are no channels. */
    private static SelectorThread current;

    private final Selector selector = Selector.open();

    /** Guarded by the class. */
    private int users;

    private volatile boolean over;

    private SelectorThread() throws IOException {
        super(NAME);
        setDaemon(true);
    }

    /** Adds a channel, with an empty interest set. */
    static synchronized void add(SelectedHandle handle, SelectableChannel channel) throws IOException {
        if (current == null) {
            current = new SelectorThread();
            current.start();
        }
        current.users++;
        try {
            handle.key(channel.register(current.selector, 0, handle));
        } catch (IOException | RuntimeException e) {
            remove();
            throw e;
        }
    }

    /** Removes a channel whose key was cancelled; the thread frees its descriptor. */
    static synchronized void remove() {
        SelectorThread one = current;
        if (--one.users == 0) {
            one.over = true;
            current = null;
        }
        one.selector.wakeup();
    }

    @Override
    public void run() {
        try (selector) {
            while (!over) {
                selector.select(SelectorThread::handOver);
            }
        } catch (IOException e) {
            LOGGER.error("datagrams and Unix-domain sockets no longer work on event loops over RDMA", e);
        }
    }

    private static void handOver(SelectionKey key) {
        try {
            int ready = key.readyOps();
            key.interestOps(0);
            ((SelectedHandle) key.attachment()).ready(ready);
        } catch (CancelledKeyException e) {
            // closed in the meantime
        }
    }
}
