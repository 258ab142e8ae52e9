/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.FileRegion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/** Moves a channel's flushed data into messages. Belongs to the loop's thread. */
final class OutboundWriter implements ChannelOutboundBuffer.MessageProcessor {
    private final Target target = new Target();
    private SendRequest request;
    private long taken;

    /**
     * Sends as much as there is room for.
     *
     * @return whether that was everything
     */
    boolean write(ChannelOutboundBuffer out, SendQueue queue) throws Exception {
        for (Object message; (message = out.current()) != null; ) {
            request = queue.current();
            if (request == null) {
                return false;
            }
            boolean going =
                    message instanceof FileRegion region ? writeRegion(region, out, queue) : writeBuffers(out, queue);
            if (!going) {
                return false;
            }
        }
        return true;
    }

    private boolean writeBuffers(ChannelOutboundBuffer out, SendQueue queue) throws Exception {
        taken = 0;
        boolean empty = !((ByteBuf) out.current()).isReadable();
        out.forEachFlushedMessage(this);
        // post before reporting, because a listener may close the channel
        queue.commit(request);
        out.removeBytes(taken);
        return taken > 0 || empty;
    }

    @Override
    public boolean processMessage(Object message) {
        if (!(message instanceof ByteBuf buffer)) {
            return false;
        }
        int count = buffer.readableBytes();
        int appended = request.append(buffer, buffer.readerIndex(), count);
        taken += appended;
        return appended == count;
    }

    private boolean writeRegion(FileRegion region, ChannelOutboundBuffer out, SendQueue queue) throws IOException {
        long position = region.transferred();
        long moved = 0;
        if (position < region.count()) {
            if (request.prepareCopy() < 0) {
                return false;
            }
            moved = region.transferTo(target, position);
            queue.commit(request);
            if (moved <= 0 && request.copyRoom() > 0) {
                throw new IOException("the file region ends after " + position + " of " + region.count() + " bytes");
            }
            out.progress(moved);
        }
        if (region.transferred() >= region.count()) {
            out.remove();
        }
        return true;
    }

    /** The current message, as the target of a file region. */
    private final class Target implements WritableByteChannel {
        @Override
        public int write(ByteBuffer source) {
            int start = request.prepareCopy();
            if (start < 0) {
                return 0;
            }
            int n = Math.min(source.remaining(), request.copyRoom());
            if (n > 0) {
                ByteBuffer part = source.duplicate().limit(source.position() + n);
                request.copyTarget().setBytes(start, part);
                source.position(source.position() + n);
                request.copied(n);
            }
            return n;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {
            // nothing to close
        }
    }
}
