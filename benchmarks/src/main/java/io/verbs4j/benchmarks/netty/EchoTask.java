/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import java.nio.ByteBuffer;

/** Writes back whatever it reads, and flushes after each read, like Netty's example. */
final class EchoTask extends Task {
    private long left;

    EchoTask(int size, long messages, ByteBuffer target) {
        super(size, messages, target);
        left = size * messages;
    }

    @Override
    void start(ChannelHandlerContext context) {
        // the other end begins
    }

    @Override
    void received(ChannelHandlerContext context, ByteBuf bytes) {
        left -= bytes.readableBytes();
        ChannelFuture future = context.write(bytes);
        if (left == 0) {
            future.addListener(this::end);
        }
    }

    @Override
    void readComplete(ChannelHandlerContext context) {
        context.flush();
    }
}
