/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import io.verbs4j.natives.memory.NativeMemory;
import java.io.IOException;

/**
 * What a receiver and its senders exchange: whether the receiver sleeps and, if it has many rings, which of them have
 * records. Wrong content does no more harm than a ring checked in vain or late.
 */
final class Mailbox implements AutoCloseable {
    static final int SIZE = 4096;
    static final int SLEEPING = 64;
    static final int MANY = 72;
    static final int FULL = 128;

    /** Number of rings that have a bit. */
    static final int PLACES = 1024;

    private static final long MAGIC = 0x7634_6a6d_6169_6c32L; // "v4jmail2"

    private final SharedMemory memory;

    Mailbox(Kernel kernel) throws IOException {
        memory = SharedMemory.create(kernel, SIZE);
        memory.put(0, MAGIC);
    }

    /** Opens another process's mailbox. */
    static SharedMemory open(Kernel kernel, Peer peer) throws IOException {
        SharedMemory memory = SharedMemory.open(kernel, peer.pid(), peer.mailbox(), SIZE);
        if (memory.get(0) != MAGIC) {
            throw new IOException("descriptor " + peer.mailbox() + " of process " + peer.pid() + " is not a mailbox");
        }
        return memory;
    }

    /** Returns whether the receiver slept and the caller must wake it; returns true to one caller only. */
    static boolean wake(SharedMemory memory) {
        boolean slept = NativeMemory.compareAndExchangeLong(memory.address() + SLEEPING, 1, 0) == 1;
        memory.keepUntilHere();
        return slept;
    }

    /**
     * Notes that the ring of a place has records, if the receiver wants notes. The records are visible before the note.
     */
    static void note(SharedMemory memory, int place) {
        if (memory.get(MANY) == 0) {
            return;
        }
        long word = memory.address() + FULL + (long) (place >> 6) * Long.BYTES;
        long bit = 1L << place;
        for (long now = NativeMemory.getLongVolatile(word); (now & bit) == 0; ) {
            long before = NativeMemory.compareAndExchangeLong(word, now, now | bit);
            if (before == now) {
                break;
            }
            now = before;
        }
        memory.keepUntilHere();
    }

    /** Sets whether senders must note their records. After turning notes on, check all rings once. */
    void wantsNotes(boolean value) {
        memory.put(MANY, value ? 1 : 0);
    }

    /** Takes the notes of 64 rings. Records written before a note are visible to code that runs after this call. */
    long take(int word) {
        int at = FULL + word * Long.BYTES;
        long bits = memory.get(at);
        for (long before = bits; before != 0; ) {
            before = NativeMemory.compareAndExchangeLong(memory.address() + at, bits, 0);
            if (before == bits) {
                break;
            }
            bits = before;
        }
        memory.keepUntilHere();
        return bits;
    }

    /** Writes a word, for tests. */
    void put(int offset, long value) {
        memory.put(offset, value);
    }

    int fd() {
        return memory.fd();
    }

    /** Asks senders for a datagram from now on. Afterwards, check the rings again for records written before. */
    void sleeps() {
        memory.put(SLEEPING, 1);
    }

    void wakes() {
        memory.put(SLEEPING, 0);
    }

    @Override
    public void close() {
        memory.close();
    }
}
