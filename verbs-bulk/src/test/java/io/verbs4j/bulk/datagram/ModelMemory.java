/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.datagram;

import java.util.TreeMap;

/** Memory by address. Reading removed memory fails the test: it was used after its request has completed. */
final class ModelMemory {
    private static final long GAP = 1L << 32;

    private final TreeMap<Long, byte[]> parts = new TreeMap<>();
    private long next = GAP;

    long add(byte... bytes) {
        next += GAP;
        parts.put(next, bytes);
        return next;
    }

    void remove(long address) {
        parts.remove(address);
    }

    void read(long address, byte[] to, int at, int length) {
        System.arraycopy(part(address, length), offset(address), to, at, length);
    }

    void write(long address, byte[] from, int at, int length) {
        System.arraycopy(from, at, part(address, length), offset(address), length);
    }

    private int offset(long address) {
        return (int) (address - parts.floorKey(address));
    }

    private byte[] part(long address, int length) {
        var part = parts.floorEntry(address);
        if (part == null || address - part.getKey() > part.getValue().length - length) {
            throw new AssertionError("memory that no longer belongs to a request is used");
        }
        return part.getValue();
    }
}
