/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.progress;

import io.verbs4j.CompletionChannel;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** Parks the thread, which may be virtual; the devices' threads unpark it on completions. */
final class ParkSleeper implements Sleeper {
    private final List<CompletionChannel> channels;
    private final AtomicBoolean woken = new AtomicBoolean();
    private volatile Thread sleeper;

    ParkSleeper(List<CompletionChannel> channels) {
        this.channels = channels;
        channels.forEach(channel -> channel.onEvent(this::wake));
    }

    @Override
    public void sleep(long nanos) {
        sleeper = Thread.currentThread();
        if (!woken.get()) {
            LockSupport.parkNanos(this, nanos);
        }
        sleeper = null;
        woken.set(false);
        for (CompletionChannel channel : channels) {
            while (channel.getEvent(0, TimeUnit.NANOSECONDS) != null) {
                Thread.onSpinWait(); // takes all events, so that the next one runs the action
            }
        }
    }

    @Override
    public void wake() {
        woken.set(true);
        Thread thread = sleeper;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }
}
