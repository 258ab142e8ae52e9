/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;

/** A piece of registered memory of the size of a message, to receive into or to send from. */
final class Slot {
    /** Its index in the slab. */
    final int index;

    final Chunk chunk;
    final long address;

    /** The whole slot; code that changes its position or limit must restore them. */
    final ByteBuffer memory;

    /** The same memory as a Netty buffer; use only methods that take an index. */
    final ByteBuf bytes;

    /** Its index among the posted slots of its connection, if connections have their own receives. */
    int place;

    /** Length of the message in it. */
    int length;

    /** How much of the message has been read. */
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
