/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;

/** The program's handle of a completion channel. */
public final class RxeCompletionChannel extends CompletionChannel {
    /** The events that were not fetched yet. */
    public final EventQueue<CompletionQueue> events;

    /** Creates a channel. */
    public RxeCompletionChannel(Context context, EventQueue.Waiters waiters) {
        super(context);
        events = new EventQueue<>("get_cq_event", "completion channel", waiters);
    }

    @Override
    protected int wakeWaiter() {
        events.wake();
        return 0;
    }

    @Override
    protected int runOnEvent(Runnable action) {
        return events.onEvent(action);
    }
}
