/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.kv;

import java.nio.ByteBuffer;

/**
 * What the server tells a client as it accepts it, as private data of the connection.
 *
 * @param address where the table is in the server's memory
 * @param key the key of that memory
 * @param number the client's number, which its locks bear
 */
record Welcome(long address, int key, long number) {
    private static final int LENGTH = 2 * Long.BYTES + Integer.BYTES;

    byte[] encode() {
        return ByteBuffer.allocate(LENGTH)
                .putLong(address)
                .putInt(key)
                .putLong(number)
                .array();
    }

    /** Reads it; what came may be longer, filled up with zeros. */
    static Welcome decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        return new Welcome(in.getLong(), in.getInt(), in.getLong());
    }
}
