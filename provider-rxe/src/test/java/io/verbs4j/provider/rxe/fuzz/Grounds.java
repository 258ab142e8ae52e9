/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.fuzz;

import io.verbs4j.AccessFlags;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.natives.memory.NativeMemory;
import java.nio.ByteBuffer;

/**
 * Memory with regions with different rights, each between guards.
 *
 * <pre>
 * guard | open: all rights | guard | readable: for reading only | guard | local: for receives and responses | guard |
 * foreign: all rights, in another domain | guard
 * </pre>
 */
final class Grounds implements AutoCloseable {
    static final int GUARD = 4096;
    static final int SIZE = 8192;
    private static final int REGIONS = 4;

    /** Fills guards and the foreign region. Nobody may see eight of these in a row. */
    static final byte SECRET = (byte) 0xa7;

    static final long EIGHT_SECRETS = 0xa7a7_a7a7_a7a7_a7a7L;
    private static final byte PUBLIC = 0x11;
    static final int ALL = AccessFlags.LOCAL_WRITE
            | AccessFlags.REMOTE_WRITE
            | AccessFlags.REMOTE_READ
            | AccessFlags.REMOTE_ATOMIC
            | AccessFlags.FLUSH_GLOBAL;

    private static final ByteBuffer SECRETS = filledWith(SECRET);
    private static final ByteBuffer PUBLICS = filledWith(PUBLIC);

    /** Shared receive queues of type XRC, in the domain of most regions and in one without regions. */
    int srqNum;

    int foreignSrqNum;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(GUARD + REGIONS * (SIZE + GUARD));
    final MemoryRegion open;
    final MemoryRegion readable;
    final MemoryRegion local;
    final MemoryRegion foreign;

    /** Invalid keys of the open region's memory. */
    final int formerKey;

    Grounds(ProtectionDomain pd, ProtectionDomain otherPd) {
        NativeMemory.fill(NativeMemory.address(memory), memory.capacity(), SECRET);
        for (int i = 0; i < REGIONS - 1; i++) {
            NativeMemory.fill(NativeMemory.address(memory) + at(i), SIZE, PUBLIC);
        }
        try (MemoryRegion former = pd.regMr(part(0), ALL)) {
            formerKey = former.rkey();
        }
        open = pd.regMr(part(0), ALL | AccessFlags.MW_BIND);
        readable = pd.regMr(part(1), AccessFlags.REMOTE_READ);
        local = pd.regMr(part(2), AccessFlags.LOCAL_WRITE);
        foreign = otherPd.regMr(part(3), ALL);
    }

    private static int at(int region) {
        return GUARD + region * (GUARD + SIZE);
    }

    private ByteBuffer part(int region) {
        return memory.duplicate().position(at(region)).limit(at(region) + SIZE);
    }

    /** Returns the content of the open region. */
    byte[] openBytes(int from, int length) {
        byte[] bytes = new byte[length];
        memory.get(at(0) + from, bytes);
        return bytes;
    }

    /** Fails if anything outside the writable memory was written. */
    void check() {
        for (int i = 0; i <= REGIONS; i++) {
            requireAll(at(i) - GUARD, GUARD, SECRET, "guard " + i);
        }
        requireAll(at(1), SIZE, PUBLIC, "the region for reading only");
        requireAll(at(3), SIZE, SECRET, "the region of another domain");
    }

    private void requireAll(int from, int length, byte value, String what) {
        int wrong = memory.slice(from, length).mismatch(full(value).slice(0, length));
        if (wrong >= 0) {
            throw new AssertionError("byte " + wrong + " of " + what + " was written to");
        }
    }

    private static ByteBuffer full(byte value) {
        return value == SECRET ? SECRETS : PUBLICS;
    }

    private static ByteBuffer filledWith(byte value) {
        ByteBuffer b = ByteBuffer.allocateDirect(Math.max(GUARD, SIZE));
        NativeMemory.fill(NativeMemory.address(b), b.capacity(), value);
        return b;
    }

    @Override
    public void close() {
        open.close();
        readable.close();
        local.close();
        foreign.close();
    }
}
