/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import java.io.IOException;

/** Passes a connection's received messages to its channel's pipeline. Belongs to the loop's thread. */
@SuppressWarnings("deprecation") // Handle: Netty's own methods return it
final class InboundReader {
    /** Messages of at least this size are passed on without a copy. */
    private static final int MIN_IN_PLACE = 8192;

    private final VerbsSocketChannel channel;
    private final Traffic traffic;

    /** Whether the program has requested a read, or automatic reading is on. */
    private boolean interested;

    private boolean readPending;
    private boolean reading;
    private boolean endReported;

    InboundReader(VerbsSocketChannel channel, Traffic traffic) {
        this.channel = channel;
        this.traffic = traffic;
    }

    void beginRead(Link link) {
        readPending = true;
        interested = true;
        if (link != null && !reading) {
            link.touch();
        }
    }

    void clearPending() {
        readPending = false;
        interested = false;
    }

    /** Reads if there is something to read and the program wants it. */
    void read(Link link, RecvByteBufAllocator.Handle handle) {
        // the end is reported even if nobody reads, once everything before it has been read
        if (reading || !hasSome(link) || !interested && (link.inbox().first() != null || endReported)) {
            return;
        }
        VerbsSocketChannelConfig config = channel.config();
        if (channel.isInputShutdown() && link.failure() == 0 && (endReported || !config.isAllowHalfClosure())) {
            clearPending();
            return;
        }
        reading = true;
        try {
            readMessages(link, handle, config);
        } finally {
            reading = false;
            if (!readPending && !config.isAutoRead()) {
                interested = false;
            }
            if (link.isOpen()
                    && hasSome(link)
                    && !endReported
                    && (interested || link.inbox().first() == null)) {
                link.touch();
            }
        }
    }

    private static boolean hasSome(Link link) {
        return link.inbox().first() != null || link.inbox().isEnded() || link.failure() != 0;
    }

    private void readMessages(Link link, RecvByteBufAllocator.Handle handle, VerbsSocketChannelConfig config) {
        ChannelPipeline pipeline = channel.pipeline();
        ByteBufAllocator allocator = config.getAllocator();
        boolean over = false;
        Throwable failure = null;
        handle.reset(config);
        try {
            do {
                if (link.inbox().first() == null) {
                    over = link.inbox().isEnded();
                    break;
                }
                ByteBuf buffer = next(link, handle, allocator);
                handle.incMessagesRead(1);
                readPending = false;
                pipeline.fireChannelRead(buffer);
            } while (handle.continueReading());
            if (!over
                    && link.inbox().first() == null
                    && link.failure() != 0
                    && !link.inbox().isEnded()) {
                failure = Failures.of(link.failure());
            }
        } catch (Throwable t) {
            failure = t;
        }
        if (over) {
            readPending = false;
        }
        handle.readComplete();
        pipeline.fireChannelReadComplete();
        if (failure != null) {
            pipeline.fireExceptionCaught(failure);
            if (failure instanceof IOException || failure instanceof OutOfMemoryError) {
                channel.unsafe().close(channel.voidPromise());
            }
        } else if (over) {
            closeOnRead(pipeline, config);
        }
    }

    private ByteBuf next(Link link, RecvByteBufAllocator.Handle handle, ByteBufAllocator allocator) {
        Slot slot = link.inbox().first();
        int length = slot.length;
        if (slot.read == 0
                && length >= MIN_IN_PLACE
                && handle.guess() >= length
                && link.inbox().replaceFirst()) {
            handle.attemptedBytesRead(length);
            handle.lastBytesRead(length);
            traffic.receivedInPlace(length);
            return BuffersInPlace.received(allocator, link.slab(), slot);
        }
        ByteBuf buffer = handle.allocate(allocator);
        int room = buffer.writableBytes();
        handle.attemptedBytesRead(room);
        int total = 0;
        while (slot != null && total < room) {
            int n = Math.min(room - total, slot.length - slot.read);
            buffer.writeBytes(slot.bytes, slot.read, n);
            slot.read += n;
            total += n;
            if (slot.read == slot.length) {
                link.inbox().releaseFirst();
                slot = link.inbox().first();
            }
        }
        handle.lastBytesRead(total);
        traffic.receivedByCopy(total);
        return buffer;
    }

    private void closeOnRead(ChannelPipeline pipeline, VerbsSocketChannelConfig config) {
        if (!channel.isInputShutdown()) {
            if (!config.isAllowHalfClosure()) {
                endReported = true;
                channel.unsafe().close(channel.voidPromise());
                return;
            }
            channel.inputShutdown();
            pipeline.fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
        }
        if (!endReported) {
            endReported = true;
            pipeline.fireUserEventTriggered(ChannelInputShutdownReadComplete.INSTANCE);
        }
    }
}
