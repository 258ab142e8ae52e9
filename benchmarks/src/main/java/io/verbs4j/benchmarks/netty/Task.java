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

/** Work of one end, such as sending so many messages. All methods but {@link #await} run in the event loop. */
abstract class Task {
    private static final int STUCK_SECONDS = 120;

    final int size;
    final long messages;
    private final ByteBuffer target;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private long received;

    /** Of so many messages of a size; the last one's contents go to a target. */
    Task(int size, long messages, ByteBuffer target) {
        this.size = size;
        this.messages = messages;
        this.target = target;
    }

    /** Begins. */
    abstract void start(ChannelHandlerContext context);

    /** Some bytes have come. This method releases them. */
    void received(ChannelHandlerContext context, ByteBuf bytes) {
        bytes.release();
    }

    /** The whole of a message has come. */
    void message(ChannelHandlerContext context, long count) {
        // those that care
    }

    /** The channel has read all that there was. */
    void readComplete(ChannelHandlerContext context) {
        // those that care
    }

    /** The channel has become writable, or not writable. */
    void writabilityChanged(ChannelHandlerContext context) {
        // those that care
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

    /** Of the last write. */
    final void end(Future<?> future) {
        if (future.isSuccess()) {
            end();
        } else {
            fail(future.cause());
        }
    }

    /** Waits until it has ended. */
    final void await() throws IOException {
        try {
            done.get(STUCK_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } catch (TimeoutException e) {
            throw new IOException(
                    "stuck: after " + STUCK_SECONDS + " s " + received + " of " + messages * size + " bytes had come",
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
