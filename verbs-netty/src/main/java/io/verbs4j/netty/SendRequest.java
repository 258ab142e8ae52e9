/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;

/**
 * A message that is being gathered or sent. Registered memory is referenced in place and held until the message has
 * been acknowledged; other data is copied into a slot. Reusable.
 */
final class SendRequest {
    /** Below this size, copying is cheaper than another piece. */
    static final int MIN_IN_PLACE = 2048;

    static final int MAX_PIECES = 8;

    private final SendWorkRequest request = new SendWorkRequest().opcode(WrOpcode.SEND_WITH_IMM);
    private final ScatterGatherElement[] pieces = new ScatterGatherElement[MAX_PIECES];
    private final ByteBuf[] held = new ByteBuf[MAX_PIECES];
    private final Slab slab;
    private final RegisteredMemory registered;
    private final Traffic traffic;
    private final int limit;
    private Slot slot;
    private int copied;
    private int pieceCount;
    private int heldCount;
    private int length;

    /** Whether the last piece is copied data that more can be appended to. */
    private boolean lastIsCopied;

    SendRequest(Slab slab, RegisteredMemory registered, Traffic traffic, int limit) {
        this.slab = slab;
        this.registered = registered;
        this.traffic = traffic;
        this.limit = limit;
    }

    int length() {
        return length;
    }

    boolean hasRoom() {
        return length < limit && (lastIsCopied || pieceCount < MAX_PIECES);
    }

    /**
     * Appends as much as fits.
     *
     * @return the number of bytes, which is below {@code count} if the message is full or no memory is left
     */
    int append(ByteBuf buffer, int index, int count) {
        int wanted = Math.min(count, limit - length);
        if (wanted < MIN_IN_PLACE) {
            return wanted == 0 ? 0 : copy(buffer, index, wanted);
        }
        if (buffer instanceof CompositeByteBuf composite) {
            return appendParts(composite, index, wanted);
        }
        if (buffer.hasMemoryAddress() && pieceCount < MAX_PIECES) {
            long address = buffer.memoryAddress() + index;
            Chunk chunk = registered.find(address, wanted);
            if (chunk != null) {
                held[heldCount++] = buffer.retain();
                addPiece(address, wanted, chunk.lkey());
                lastIsCopied = false;
                traffic.sentInPlace(wanted);
                return wanted;
            }
        }
        return copy(buffer, index, wanted);
    }

    private int appendParts(CompositeByteBuf buffer, int index, int count) {
        int done = 0;
        while (done < count) {
            int at = index + done;
            int component = buffer.toComponentIndex(at);
            int inside = at - buffer.toByteIndex(component);
            ByteBuf part = buffer.internalComponent(component);
            int wanted = Math.min(count - done, part.capacity() - inside);
            int appended = wanted == 0 ? 0 : append(part, inside, wanted);
            done += appended;
            if (appended < wanted) {
                break;
            }
        }
        return done;
    }

    private int copy(ByteBuf buffer, int index, int count) {
        int start = prepareCopy();
        int n = start < 0 ? 0 : Math.min(count, slab.slotSize() - start);
        if (n > 0) {
            buffer.getBytes(index, slot.bytes, start, n);
            copied(n);
        }
        return n;
    }

    /** {@return the index in {@link #copyTarget()} for the next copied bytes; -1 if nothing can be copied} */
    int prepareCopy() {
        if (!hasRoom()) {
            return -1;
        }
        if (slot == null) {
            slot = slab.take();
            if (slot == null) {
                return -1;
            }
        }
        return copied;
    }

    /** {@return the slot for copied data} */
    ByteBuf copyTarget() {
        return slot.bytes;
    }

    /** {@return how many bytes may be copied, after {@link #prepareCopy()}} */
    int copyRoom() {
        return Math.min(limit - length, slab.slotSize() - copied);
    }

    /** Adds bytes that were copied to the index from {@link #prepareCopy()}. */
    void copied(int count) {
        if (lastIsCopied) {
            ScatterGatherElement piece = pieces[pieceCount - 1];
            piece.length(piece.length() + count);
            length += count;
        } else {
            addPiece(slot.address + copied, count, slot.lkey());
            lastIsCopied = true;
        }
        copied += count;
        traffic.sentByCopy(count);
    }

    private void addPiece(long address, int count, int lkey) {
        ScatterGatherElement piece = pieces[pieceCount];
        if (piece == null) {
            piece = pieces[pieceCount] = new ScatterGatherElement();
        }
        piece.addr(address).length(count).lkey(lkey);
        pieceCount++;
        length += count;
    }

    SendWorkRequest prepared(long wrId, int immediate) {
        return request.wrId(wrId)
                .immData(immediate)
                .sendFlags(SendFlags.SIGNALED)
                .sgList(pieces, pieceCount);
    }

    /** Releases all memory; the message was sent, or never will be. */
    void clear() {
        if (slot != null) {
            slab.give(slot);
            slot = null;
        }
        for (int i = 0; i < heldCount; i++) {
            ByteBuf buffer = held[i];
            held[i] = null;
            buffer.release();
        }
        copied = 0;
        pieceCount = 0;
        heldCount = 0;
        length = 0;
        lastIsCopied = false;
    }
}
