/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.CompletionChannel;
import io.verbs4j.Context;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.event.EventSource;
import io.verbs4j.rdmacore.layout.CompChannelLayout;

/** A completion channel of a native device. */
public final class NativeCompletionChannel extends CompletionChannel {
    /** The {@code struct ibv_comp_channel}. */
    public final IbvObject ibv;

    /** Its events. */
    public final EventSource events;

    /** Creates the handle of a {@code struct ibv_comp_channel}. */
    public NativeCompletionChannel(Context context, long address) {
        super(context);
        ibv = new IbvObject(address);
        events = new EventSource("get_cq_event", NativeMemory.getInt(address + CompChannelLayout.FD));
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
