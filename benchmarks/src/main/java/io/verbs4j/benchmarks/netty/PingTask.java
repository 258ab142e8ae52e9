/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.nio.ByteBuffer;
import org.HdrHistogram.Histogram;

/** Writes a message, and the next one when its echo has arrived. */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write closes the connection
final class PingTask extends Task {
    private final ByteBuf message;
    private final Histogram roundTrips;
    private long begun;

    PingTask(int size, long messages, ByteBuffer target, ByteBuf message, Histogram roundTrips) {
        super(size, messages, target);
        this.message = message;
        this.roundTrips = roundTrips;
    }

    @Override
    void start(ChannelHandlerContext context) {
        begun = System.nanoTime();
        context.writeAndFlush(message.retainedDuplicate());
    }

    @Override
    void message(ChannelHandlerContext context, long count) {
        roundTrips.recordValue(System.nanoTime() - begun);
        if (count == messages) {
            end();
        } else {
            start(context);
        }
    }
}
