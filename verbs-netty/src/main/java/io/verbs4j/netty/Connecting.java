/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.netty.channel.ChannelPromise;
import io.netty.channel.ConnectTimeoutException;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.util.concurrent.TimeUnit;

/** A channel's attempt to connect: its promise and its timeout. Belongs to the loop's thread. */
final class Connecting {
    private final VerbsSocketChannel channel;
    private ChannelPromise promise;
    private Future<?> timeout;
    private InetSocketAddress remote;

    Connecting(VerbsSocketChannel channel) {
        this.channel = channel;
    }

    InetSocketAddress remote() {
        return remote;
    }

    void begin(InetSocketAddress to, InetSocketAddress from, ChannelPromise wanted) throws IOException {
        if (promise != null) {
            throw new ConnectionPendingException();
        }
        channel.connect(to, from);
        promise = wanted;
        remote = to;
        int millis = channel.config().getConnectTimeoutMillis();
        if (millis > 0) {
            timeout = channel.eventLoop().schedule(() -> timedOut(millis), millis, TimeUnit.MILLISECONDS);
        }
        wanted.addListener(future -> {
            if (future.isCancelled()) {
                end();
                close();
            }
        });
    }

    private void timedOut(int millis) {
        if (failed(new ConnectTimeoutException("connection timed out after " + millis + " ms: " + remote))) {
            close();
        }
    }

    private void close() {
        channel.unsafe().close(channel.voidPromise());
    }

    /**
     * {@return whether the channel still wants the connection; an accepted channel, which has no attempt, always does}
     */
    boolean succeeded() {
        ChannelPromise waiting = promise;
        end();
        return waiting == null ? channel.parent() != null : waiting.trySuccess();
    }

    /** {@return whether this call made the attempt fail} */
    boolean failed(Throwable cause) {
        ChannelPromise waiting = promise;
        end();
        return waiting != null && waiting.tryFailure(cause);
    }

    /** Called when the channel is closed. */
    void abandon() {
        failed(new ClosedChannelException());
    }

    private void end() {
        promise = null;
        if (timeout != null) {
            timeout.cancel(false);
            timeout = null;
        }
    }
}
