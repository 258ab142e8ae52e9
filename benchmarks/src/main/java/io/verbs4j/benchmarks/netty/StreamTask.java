/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import java.nio.ByteBuffer;

/** Writes messages while the channel is writable. */
final class StreamTask extends Task {
    private final ByteBuf message;
    private long written;
    private boolean writing;

    StreamTask(int size, long messages, ByteBuffer target, ByteBuf message) {
        super(size, messages, target);
        this.message = message;
    }

    @Override
    void start(ChannelHandlerContext context) {
        write(context);
    }

    @Override
    void writabilityChanged(ChannelHandlerContext context) {
        write(context);
    }

    private void write(ChannelHandlerContext context) {
        if (writing) {
            return; // the outer loop continues
        }
        writing = true;
        while (written < messages && context.channel().isWritable()) {
            written++;
            ChannelFuture future = context.writeAndFlush(message.retainedDuplicate());
            if (written == messages) {
                future.addListener(this::end);
            }
        }
        writing = false;
    }
}
