/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.netty.channel.AbstractChannel;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.DuplexChannel;
import java.nio.channels.ClosedChannelException;

/**
 * A channel whose directions can be shut down separately. Its state is read by any thread and changed by the loop's.
 */
abstract class HalfClosableChannel extends AbstractChannel implements DuplexChannel {
    private volatile boolean inputShutdown;
    private volatile boolean outputShutdown;

    HalfClosableChannel(Channel parent) {
        super(parent);
    }

    /** {@return the connection; throws if there is none} */
    abstract Link connectedLink() throws ClosedChannelException;

    @Override
    public boolean isInputShutdown() {
        return inputShutdown;
    }

    @Override
    public boolean isOutputShutdown() {
        return outputShutdown;
    }

    @Override
    public boolean isShutdown() {
        return inputShutdown && outputShutdown;
    }

    /** Called when the input has ended. */
    void inputShutdown() {
        inputShutdown = true;
    }

    /** Called when the channel is closed. */
    void bothShutdown() {
        inputShutdown = true;
        outputShutdown = true;
    }

    @Override
    protected void doShutdownOutput() throws ClosedChannelException {
        Link link = connectedLink();
        outputShutdown = true;
        link.outbox().end();
    }

    @Override
    public ChannelFuture shutdownInput() {
        return shutdownInput(newPromise());
    }

    @Override
    public ChannelFuture shutdownInput(ChannelPromise promise) {
        return Shutdowns.inLoop(eventLoop(), promise, () -> {
            Link link = connectedLink();
            inputShutdown = true;
            link.inbox().shut();
        });
    }

    @Override
    public ChannelFuture shutdownOutput() {
        return shutdownOutput(newPromise());
    }

    @Override
    public ChannelFuture shutdownOutput(ChannelPromise promise) {
        EventLoop at = eventLoop();
        if (at.inEventLoop()) {
            ((AbstractUnsafe) unsafe()).shutdownOutput(promise);
        } else {
            at.execute(() -> ((AbstractUnsafe) unsafe()).shutdownOutput(promise));
        }
        return promise;
    }

    @Override
    public ChannelFuture shutdown() {
        return shutdown(newPromise());
    }

    @Override
    public ChannelFuture shutdown(ChannelPromise promise) {
        return Shutdowns.both(this, promise);
    }
}
