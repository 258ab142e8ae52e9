/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.netty.channel.IoEvent;
import io.netty.channel.IoHandle;
import io.netty.channel.IoRegistration;

/** A channel's handle at its event loop. Its events arrive through {@link CmTarget} and {@link Link}. */
final class VerbsHandle implements IoHandle {
    private final Runnable closing;

    /**
     * Makes a handle.
     *
     * @param closing closes the channel; called by the loop's thread
     */
    VerbsHandle(Runnable closing) {
        this.closing = closing;
    }

    @Override
    public void handle(IoRegistration registration, IoEvent event) {
        throw new UnsupportedOperationException("channels of verbs-netty submit no events");
    }

    @Override
    public void close() {
        closing.run();
    }
}
