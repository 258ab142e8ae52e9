/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.kv;

import java.util.Arrays;

/**
 * Where what is in the table of a key-value store.
 *
 * <pre>
 *  bucket (1024 bytes)                         slot (240 bytes)
 *     0  lock: 0, or the number of a client       0  checksum of all that follows, 4 bytes
 *     8  56 bytes of nothing                      4  length of the key, 2 bytes; 0 where the slot is free
 *    64  slot 0                                   6  length of the value, 2 bytes
 *   304  slot 1                                   8  key, then value
 *   544  slot 2
 *   784  slot 3
 * </pre>
 *
 * A key belongs to one bucket, whose slots are read together: one READ for a get. A slot is smaller than the smallest
 * packet, so that a writer who dies in the midst of it leaves the old value or the new one.
 */
final class Layout {
    static final int BUCKETS = 1024;
    static final int BUCKET_SIZE = 1024;
    static final int TABLE_SIZE = BUCKETS * BUCKET_SIZE;

    static final int SLOTS = 4;
    static final int SLOT_SIZE = 240;
    private static final int FIRST_SLOT = 64;

    /** Nobody holds the lock. */
    static final long FREE = 0;

    private Layout() {}

    static int bucketOf(byte[] key) {
        return Math.floorMod(Arrays.hashCode(key), BUCKETS);
    }

    static int slotInBucket(int slot) {
        return FIRST_SLOT + slot * SLOT_SIZE;
    }

    static int lockInTable(int bucket) {
        return bucket * BUCKET_SIZE;
    }
}
