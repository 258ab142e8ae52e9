/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.netty.util.concurrent.ThreadAwareExecutor;
import io.netty.util.internal.PlatformDependent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The registered memory of an event loop, in slots of the size of a message. Grows in chunks up to a limit. The slot
 * returned last is taken first, because it is in the caches. Belongs to the loop's thread, except {@link #giveBack}.
 */
final class Slab {
    private static final int CHUNK = 1 << 20;

    private final SharedDevice device;
    private final ThreadAwareExecutor loop;
    private final int slotSize;
    private final int maxSlots;
    private final List<Chunk> chunks = new ArrayList<>();
    private final List<Slot> slots = new ArrayList<>();
    private final ArrayDeque<Slot> free = new ArrayDeque<>();

    /** Slots that other threads have returned; the loop collects them when it needs some. */
    private final Queue<Slot> returned = PlatformDependent.newMpscQueue();

    /** Number of slots that the program's buffers keep. */
    private final AtomicInteger lent = new AtomicInteger();

    private boolean closed;

    Slab(SharedDevice device, ThreadAwareExecutor loop, int slotSize, long maxBytes) {
        this.device = device;
        this.loop = loop;
        this.slotSize = slotSize;
        this.maxSlots = (int) Math.min(Integer.MAX_VALUE, maxBytes / slotSize);
    }

    int slotSize() {
        return slotSize;
    }

    int maxSlots() {
        return maxSlots;
    }

    Slot slot(int index) {
        return slots.get(index);
    }

    /** {@return a free slot; null if the limit is reached} */
    Slot take() {
        Slot slot = free.pollLast();
        if (slot != null) {
            return slot;
        }
        takeReturned();
        if (free.isEmpty() && slots.size() < maxSlots) {
            grow();
        }
        return free.pollLast();
    }

    /** Returns whether {@link #take()} would return a slot. */
    boolean hasFree() {
        if (free.isEmpty()) {
            takeReturned();
        }
        return !free.isEmpty() || slots.size() < maxSlots;
    }

    void give(Slot slot) {
        free.addLast(slot);
    }

    /** Returns whether another slot may be lent to the program's buffers, which may keep it for long. */
    boolean mayLend() {
        return lent.get() < maxSlots / 4;
    }

    /** Lends a slot to a buffer of the program, until {@link #giveBack}. */
    void lend(Slot slot) {
        lent.incrementAndGet();
        slot.chunk.retain();
    }

    /** Returns a slot from a buffer of the program; called by any thread. */
    void giveBack(Slot slot) {
        if (loop.isExecutorThread(Thread.currentThread()) && !closed) {
            give(slot);
        } else {
            returned.add(slot);
        }
        lent.decrementAndGet();
        slot.chunk.release();
    }

    private void takeReturned() {
        for (Slot slot; (slot = returned.poll()) != null; ) {
            free.addLast(slot);
        }
    }

    private void grow() {
        int count = Math.min(maxSlots - slots.size(), Math.max(1, CHUNK / slotSize));
        Chunk chunk = new Chunk(device, count * slotSize);
        chunks.add(chunk);
        for (int i = 0; i < count; i++) {
            Slot slot = new Slot(slots.size(), chunk, i * slotSize, slotSize);
            slots.add(slot);
            free.addLast(slot);
        }
    }

    /** Deregisters the memory, except chunks that the program's buffers still use. */
    void close() {
        closed = true;
        chunks.forEach(Chunk::release);
        chunks.clear();
    }
}
