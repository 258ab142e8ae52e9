/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.progress;

import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.VerbsException;
import java.util.concurrent.TimeUnit;

/** Sleeps in the channel of the only device, so that a completion itself wakes the thread. */
final class ChannelSleeper implements Sleeper {
    private static final System.Logger LOG = System.getLogger("io.verbs4j.bulk");

    private final CompletionChannel channel;

    ChannelSleeper(CompletionChannel channel) {
        this.channel = channel;
        channel.wakeup(); // throws if the device does not support it
    }

    @Override
    public void sleep(long nanos) {
        CompletionQueue unused = channel.getEvent(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void wake() {
        try {
            channel.wakeup();
        } catch (VerbsException e) {
            LOG.log(System.Logger.Level.DEBUG, "the device is lost, and the thread will notice", e);
        }
    }
}
