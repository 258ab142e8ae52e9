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

/** An attempt of a channel to connect: its promise and its time. Belongs to the loop's thread. */
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

    /** {@return whether somebody still waits for the connection; a channel that was accepted has no attempt} */
    boolean succeeded() {
        ChannelPromise waiting = promise;
        end();
        return waiting == null ? channel.parent() != null : waiting.trySuccess();
    }

    /** {@return whether the attempt failed by this call} */
    boolean failed(Throwable cause) {
        ChannelPromise waiting = promise;
        end();
        return waiting != null && waiting.tryFailure(cause);
    }

    /** The channel is closed. */
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
