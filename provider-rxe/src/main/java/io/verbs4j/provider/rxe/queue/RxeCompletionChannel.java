/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import io.verbs4j.CompletionChannel;
import io.verbs4j.Context;

/** A completion channel of the embedded device. */
public final class RxeCompletionChannel extends CompletionChannel {
    private final EventQueue<RxeCompletionQueue> events;

    /** Makes a channel. */
    public RxeCompletionChannel(Context context, EventQueue.Waiters waiters) {
        super(context);
        events = new EventQueue<>("get_cq_event", "completion channel", waiters);
    }

    /** The events that were not fetched. */
    public EventQueue<RxeCompletionQueue> events() {
        return events;
    }
}
