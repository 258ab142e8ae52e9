/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The library's record of a memory region, with the buffer whose memory must not be freed while a device may access it.
 */
final class RegionState extends ObjectState {
    /**
     * The regions with a buffer, of all contexts. Static, because the device keeps writing if the application drops
     * region and context without closing them.
     */
    private static final Set<RegionState> WITH_BUFFER = ConcurrentHashMap.newKeySet();

    private volatile ByteBuffer buffer;
    private Arenas.Hold arena = Arenas.Hold.NONE;

    RegionState(LibraryContext owner, List<ObjectState> parents, ByteBuffer buffer) {
        super(owner, Kind.MR, parents);
        this.buffer = buffer;
    }

    /** Keeps the buffer reachable from now on, and its memory allocated if the application could free it. */
    void hold(String verb) {
        if (buffer != null) {
            arena = Arenas.hold(verb, buffer);
            WITH_BUFFER.add(this);
        }
    }

    void letGo() {
        WITH_BUFFER.remove(this);
        buffer = null;
        arena.release();
        arena = Arenas.Hold.NONE;
    }

    boolean readOnly() {
        ByteBuffer b = buffer;
        return b != null && b.isReadOnly();
    }

    @Override
    void released() {
        letGo();
    }
}
