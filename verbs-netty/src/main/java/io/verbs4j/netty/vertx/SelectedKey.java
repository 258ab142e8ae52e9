/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty.vertx;

import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;

/** The key of a {@link SelectedHandle} as seen by its channel: its interest set is the channel's. */
final class SelectedKey extends SelectionKey {
    private final SelectedHandle handle;

    SelectedKey(SelectedHandle handle) {
        this.handle = handle;
    }

    @Override
    public SelectableChannel channel() {
        return handle.key().channel();
    }

    @Override
    public Selector selector() {
        return handle.key().selector();
    }

    @Override
    public boolean isValid() {
        return handle.isValid();
    }

    @Override
    public void cancel() {
        handle.cancel();
    }

    @Override
    public int interestOps() {
        return handle.wanted();
    }

    @Override
    public SelectionKey interestOps(int operations) {
        handle.want(operations);
        return this;
    }

    @Override
    public int readyOps() {
        return handle.key().readyOps();
    }
}
