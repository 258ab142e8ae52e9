/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.kv;

import io.verbs4j.AsyncEvent;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.EventType;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;

/** The thread that waits for asynchronous events: what goes wrong without a request of ours that could fail. */
final class EventLoop extends Thread {
    private final Context context;
    private final Receives receives;
    private final Map<Long, ClientLink> clients;

    /** Queue pairs that broke before their clients were let in. Weak, as some clients go before that. */
    private final Set<QueuePair> early = Collections.newSetFromMap(new WeakHashMap<>());

    EventLoop(Context context, Receives receives, Map<Long, ClientLink> clients) {
        super("events");
        this.context = context;
        this.receives = receives;
        this.clients = clients;
    }

    @Override
    public void run() {
        try {
            while (true) {
                handle(context.getAsyncEvent());
            }
        } catch (VerbsException e) {
            if (e.errno() != Errno.EINTR) {
                throw e;
            }
        }
    }

    /** From here on events find the client; one whose event came before is dropped. */
    synchronized void letIn(long number, ClientLink client) {
        clients.put(number, client);
        if (early.remove(client.qp())) {
            client.drop();
        }
    }

    private synchronized void drop(QueuePair broken) {
        for (ClientLink client : clients.values()) {
            if (client.qp() == broken) {
                client.drop();
                return;
            }
        }
        early.add(broken);
    }

    private void handle(AsyncEvent event) {
        switch (event.eventType()) {
            case EventType.SRQ_LIMIT_REACHED:
                receives.grow();
                break;
            case EventType.QP_FATAL:
            case EventType.QP_REQ_ERR:
            case EventType.QP_ACCESS_ERR:
                // The client did what it may not; its connection is broken, the others are not concerned.
                System.err.println(event);
                drop((QueuePair) event.element());
                break;
            case EventType.COMM_EST:
            case EventType.QP_LAST_WQE_REACHED:
                break;
            default:
                System.err.println(event); // what came later, too
        }
    }

    /** Ends the thread. */
    void close() throws InterruptedException {
        interrupt();
        join();
    }
}
