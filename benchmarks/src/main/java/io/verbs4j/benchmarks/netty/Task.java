/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The work of one end, such as sending a number of messages. All methods but {@link #await} run in the event loop. */
abstract class Task {
    private static final int STUCK_SECONDS = 120;

    final int size;
    final long messages;
    private final ByteBuffer target;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private long received;

    /**
     * Creates a task for a number of messages of the same size; the contents of the last one are copied to
     * {@code target}.
     */
    Task(int size, long messages, ByteBuffer target) {
        this.size = size;
        this.messages = messages;
        this.target = target;
    }

    /** Begins the task. */
    abstract void start(ChannelHandlerContext context);

    /** Handles received bytes, and releases them. */
    void received(ChannelHandlerContext context, ByteBuf bytes) {
        bytes.release();
    }

    /** Handles a completely received message. */
    void message(ChannelHandlerContext context, long count) {
        // nothing by default
    }

    /** Handles the end of a series of reads. */
    void readComplete(ChannelHandlerContext context) {
        // nothing by default
    }

    /** Handles a change of the channel's writability. */
    void writabilityChanged(ChannelHandlerContext context) {
        // nothing by default
    }

    final boolean isOver() {
        return done.isDone();
    }

    final void fail(Throwable cause) {
        done.completeExceptionally(cause);
    }

    final void end() {
        done.complete(null);
    }

    /** Ends the task with the result of the last write. */
    final void end(Future<?> future) {
        if (future.isSuccess()) {
            end();
        } else {
            fail(future.cause());
        }
    }

    /** Waits for the end of the task. */
    final void await() throws IOException {
        try {
            done.get(STUCK_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } catch (TimeoutException e) {
            throw new IOException(
                    "stuck: after " + STUCK_SECONDS + " s " + received + " of " + messages * size + " bytes arrived",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    final void read(ChannelHandlerContext context, ByteBuf bytes) {
        int count = bytes.readableBytes();
        long before = received;
        keepLast(bytes, before, count);
        received += count;
        received(context, bytes);
        for (long number = before / size + 1; number <= received / size; number++) {
            message(context, number);
        }
    }

    private void keepLast(ByteBuf bytes, long before, int count) {
        long last = (messages - 1) * size;
        if (before + count > last) {
            int skip = (int) Math.max(0, last - before);
            target.put(
                    (int) (before + skip - last),
                    bytes.nioBuffer(bytes.readerIndex() + skip, count - skip),
                    0,
                    count - skip);
        }
    }
}
