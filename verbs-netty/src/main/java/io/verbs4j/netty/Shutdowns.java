/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.DuplexChannel;
import java.io.IOException;

/** Shuts down one direction of a stream, or both. */
final class Shutdowns {
    /** Shuts down one direction. */
    interface Action {
        void run() throws IOException;
    }

    private Shutdowns() {}

    /** Runs an action in the loop and reports its outcome. */
    static ChannelFuture inLoop(EventLoop loop, ChannelPromise promise, Action action) {
        if (!loop.inEventLoop()) {
            loop.execute(() -> run(promise, action));
        } else {
            run(promise, action);
        }
        return promise;
    }

    private static void run(ChannelPromise promise, Action action) {
        try {
            action.run();
            promise.trySuccess();
        } catch (IOException | RuntimeException e) {
            promise.tryFailure(e);
        }
    }

    /** Shuts down both directions; fails with the first failure. */
    static ChannelFuture both(DuplexChannel channel, ChannelPromise promise) {
        channel.shutdownOutput()
                .addListener(output -> channel.shutdownInput().addListener(input -> {
                    Throwable cause = output.cause() != null ? output.cause() : input.cause();
                    if (cause == null) {
                        promise.trySuccess();
                    } else {
                        promise.tryFailure(cause);
                    }
                }));
        return promise;
    }
}
