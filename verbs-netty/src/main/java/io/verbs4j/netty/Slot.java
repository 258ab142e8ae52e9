/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;

/** A piece of registered memory, as large as a message: what is received into, or sent from. */
final class Slot {
    /** Its place in the list of the slab's slots. */
    final int index;

    final Chunk chunk;
    final long address;

    /** The whole slot; code that changes its position or limit must restore them. */
    final ByteBuffer memory;

    /** The same as Netty's; only for methods that take an index. */
    final ByteBuf bytes;

    /** Its place among what its connection has posted, where connections have receives of their own. */
    int place;

    /** Length of the message that was received into it. */
    int length;

    /** How much of that message has been read. */
    int read;

    Slot(int index, Chunk chunk, int offset, int size) {
        this.index = index;
        this.chunk = chunk;
        this.address = chunk.address() + offset;
        this.memory = chunk.slice(offset, size);
        this.bytes = Unpooled.wrappedBuffer(memory);
    }

    int lkey() {
        return chunk.lkey();
    }
}
