/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty.vertx;

import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import io.netty.channel.nio.NioIoEvent;
import io.netty.channel.nio.NioIoHandle;
import io.netty.channel.nio.NioIoOps;
import io.netty.util.concurrent.ThreadAwareExecutor;
import java.nio.channels.SelectionKey;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * An NIO channel on an event loop without a selector. The loop's thread handles its ready operations; until then it is
 * not selected again. Belongs to the loop's thread, except {@link #ready}.
 */
final class SelectedHandle implements IoRegistration {
    private final ThreadAwareExecutor loop;
    private final NioIoHandle handle;
    private final Consumer<SelectedHandle> ended;
    private final SelectedKey view = new SelectedKey(this);

    /** Its interest set is empty while ready operations are being handled. */
    private volatile SelectionKey key;

    /** The operations that the channel waits for. */
    private int wanted;

    private boolean handling;
    private boolean cancelled;

    SelectedHandle(ThreadAwareExecutor loop, NioIoHandle handle, Consumer<SelectedHandle> ended) {
        this.loop = loop;
        this.handle = handle;
        this.ended = ended;
    }

    void key(SelectionKey made) {
        key = made;
    }

    SelectionKey key() {
        return key;
    }

    int wanted() {
        return wanted;
    }

    /** Called when the channel is ready, by the selector's thread, which has cleared the key's interest set. */
    void ready(int operations) {
        try {
            loop.execute(() -> handle(operations));
        } catch (RejectedExecutionException e) {
            key.cancel(); // the loop has ended
        }
    }

    private void handle(int operations) {
        if (!isValid()) {
            return;
        }
        NioIoOps ready = NioIoOps.valueOf(operations);
        handling = true;
        try {
            handle.handle(this, (NioIoEvent) () -> ready);
        } finally {
            handling = false;
            ask();
        }
    }

    /** Sets the operations that the channel waits for. */
    void want(int operations) {
        wanted = operations;
        if (!handling) {
            ask();
        }
    }

    private void ask() {
        if (isValid()) {
            key.interestOps(wanted);
            key.selector().wakeup();
        }
    }

    /** Closes the channel because its loop ends. */
    void close() {
        try {
            handle.close();
        } catch (Exception e) {
            throw new IllegalStateException("a channel could not be closed: " + handle, e);
        }
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as Netty declares it
    public <T> T attachment() {
        return (T) view;
    }

    @Override
    public long submit(IoOps ops) {
        if (!isValid()) {
            return -1;
        }
        want(((NioIoOps) ops).value());
        return wanted;
    }

    @Override
    public boolean isValid() {
        return !cancelled && key.isValid();
    }

    @Override
    public boolean cancel() {
        if (cancelled) {
            return false;
        }
        cancelled = true;
        key.cancel();
        SelectorThread.remove();
        ended.accept(this);
        handle.unregistered();
        return true;
    }
}
