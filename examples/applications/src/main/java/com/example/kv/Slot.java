/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.kv;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * A key and its value, as they lie in a slot. A READ that meets a write sees some of the old and some of the new bytes:
 * RDMA promises nothing else. The checksum tells.
 *
 * @param state what was read
 * @param key the key; empty but for {@link State#VALID}
 * @param value the value; empty but for {@link State#VALID}
 */
record Slot(State state, byte[] key, byte[] value) {
    enum State {
        FREE,
        VALID,
        /** Read while it was written: read it again. */
        TORN
    }

    /** Bytes that key and value may have together. */
    static final int CAPACITY = Layout.SLOT_SIZE - 8;

    private static final byte[] NONE = {};

    /** Writes a slot. */
    static void write(ByteBuffer memory, int offset, byte[] key, byte[] value) {
        memory.putShort(offset + 4, (short) key.length);
        memory.putShort(offset + 6, (short) value.length);
        memory.put(offset + 8, key);
        memory.put(offset + 8 + key.length, value);
        memory.putInt(offset, checksum(memory, offset, key.length + value.length));
    }

    /** Frees a slot. */
    static void clear(ByteBuffer memory, int offset) {
        memory.put(offset, new byte[Layout.SLOT_SIZE]);
    }

    static Slot read(ByteBuffer memory, int offset) {
        int keyLength = Short.toUnsignedInt(memory.getShort(offset + 4));
        int valueLength = Short.toUnsignedInt(memory.getShort(offset + 6));
        if (keyLength == 0 && valueLength == 0 && memory.getInt(offset) == 0) {
            return new Slot(State.FREE, NONE, NONE);
        }
        if (keyLength + valueLength > CAPACITY
                || memory.getInt(offset) != checksum(memory, offset, keyLength + valueLength)) {
            return new Slot(State.TORN, NONE, NONE);
        }
        byte[] key = new byte[keyLength];
        byte[] value = new byte[valueLength];
        memory.get(offset + 8, key);
        memory.get(offset + 8 + keyLength, value);
        return new Slot(State.VALID, key, value);
    }

    boolean has(byte[] wanted) {
        return state == State.VALID && Arrays.equals(key, wanted);
    }

    private static int checksum(ByteBuffer memory, int offset, int length) {
        CRC32C crc = new CRC32C();
        crc.update(memory.slice(offset + 4, 4 + length));
        return (int) crc.getValue();
    }
}
