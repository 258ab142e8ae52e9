/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;

/**
 * The handler of a connection: passes events to the current {@link Task}, and keeps data that arrives before the task
 * begins.
 */
final class Desk extends ChannelInboundHandlerAdapter {
    private final CompletableFuture<ChannelHandlerContext> active = new CompletableFuture<>();
    private final ArrayDeque<ByteBuf> early = new ArrayDeque<>();
    private Task task;

    /** Returns a future for the connection, once it is active. */
    CompletableFuture<ChannelHandlerContext> active() {
        return active;
    }

    /** Begins a task; call this in the event loop. */
    void begin(Task next) {
        task = next;
        ChannelHandlerContext context = active.join();
        task.start(context);
        while (!early.isEmpty()) {
            task.read(context, early.remove());
        }
        task.readComplete(context);
    }

    private boolean isBusy() {
        return task != null && !task.isOver();
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        active.complete(context);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (isBusy()) {
            task.read(context, (ByteBuf) message);
        } else {
            early.add((ByteBuf) message);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (task != null) {
            task.readComplete(context);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (isBusy()) {
            task.writabilityChanged(context);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (task != null) {
            task.fail(cause);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (isBusy()) {
            task.fail(new IOException("the connection was closed"));
        }
    }
}
