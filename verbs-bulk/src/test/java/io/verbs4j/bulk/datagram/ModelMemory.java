/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.datagram;

import java.util.TreeMap;

/** Memory by address. Reading what is not there fails the test: it was used after its request has completed. */
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
        var part = parts.floorEntry(address);
        int offset = part == null ? -1 : (int) (address - part.getKey());
        if (offset < 0 || offset + length > part.getValue().length) {
            throw new AssertionError("memory is read that is not a request's any more");
        }
        System.arraycopy(part.getValue(), offset, to, at, length);
    }
}
