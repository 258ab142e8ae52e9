/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.netty;

import io.netty.channel.ChannelHandlerContext;
import java.nio.ByteBuffer;

/** Reads messages. */
final class DrainTask extends Task {
    DrainTask(int size, long messages, ByteBuffer target) {
        super(size, messages, target);
    }

    @Override
    void start(ChannelHandlerContext context) {
        // the other end begins
    }

    @Override
    void message(ChannelHandlerContext context, long count) {
        if (count == messages) {
            end();
        }
    }
}
