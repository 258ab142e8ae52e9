/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.memory;

import java.util.Arrays;

/** Registered memory by its index. Any thread may add; the engine looks up without a lock. */
public final class MemoryTable {
    private static final int FIRST_ROOM = 16;

    private volatile RegisteredMemory[] table = new RegisteredMemory[FIRST_ROOM];
    private int size;

    /** Reserves the next index. An index is never reused. */
    public synchronized int reserve() {
        return size++;
    }

    /** Adds memory at its index. */
    public synchronized void add(RegisteredMemory memory) {
        RegisteredMemory[] all = table;
        RegisteredMemory[] copy = Arrays.copyOf(all, Math.max(all.length, Integer.highestOneBit(memory.index()) * 2));
        copy[memory.index()] = memory;
        table = copy;
    }

    /** Returns the memory with this index, or null. */
    public RegisteredMemory find(int index) {
        RegisteredMemory[] all = table;
        return index >= 0 && index < all.length ? all[index] : null;
    }

    /** Removes memory. Returns whether it was there. */
    public synchronized boolean remove(RegisteredMemory memory) {
        RegisteredMemory[] copy = table.clone();
        boolean there = copy[memory.index()] == memory;
        copy[memory.index()] = null;
        table = copy;
        return there;
    }

    /** Returns the table; entries that are unused or removed are null. */
    public RegisteredMemory[] all() {
        return table.clone();
    }
}
