/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.verbs4j.AccessFlags;
import io.verbs4j.MemoryRegion;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A registered piece of direct memory. It stays registered until its owner and all users of its parts have released it.
 */
final class Chunk {
    private final SharedDevice device;
    private final ByteBuffer memory;
    private final MemoryRegion region;
    private final long address;
    private final int lkey;
    private final AtomicInteger users = new AtomicInteger(1);

    /** Registers memory. Keeps the device open until the chunk is deregistered. */
    Chunk(SharedDevice device, int size) {
        this.device = device;
        this.memory = ByteBuffer.allocateDirect(size);
        this.region = device.pd().regMr(memory, AccessFlags.LOCAL_WRITE);
        this.address = region.addr();
        this.lkey = region.lkey();
        device.retain();
        device.registered().add(this);
    }

    long address() {
        return address;
    }

    int size() {
        return memory.capacity();
    }

    int lkey() {
        return lkey;
    }

    ByteBuffer slice(int offset, int size) {
        return memory.slice(offset, size);
    }

    /** Adds a user; the caller must know that the chunk is registered. */
    void retain() {
        users.incrementAndGet();
    }

    void release() {
        if (users.decrementAndGet() == 0) {
            device.registered().remove(this);
            region.close();
            device.release();
        }
    }
}
