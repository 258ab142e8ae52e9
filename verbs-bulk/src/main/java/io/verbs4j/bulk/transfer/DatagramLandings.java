/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import java.nio.ByteBuffer;

/**
 * Landings of a connection by datagrams: this side copies the bytes of each datagram to their place itself. A peer
 * names a transfer by a key and an address, the two halves of the transfer's identifier. The low half of the address is
 * a mark bit, which no window address has, and the offset.
 */
final class DatagramLandings implements Landings {
    private static final long HIGH = -1L << Integer.SIZE;
    private static final long MARK = 1L << Integer.SIZE - 1;
    private static final long OFFSET = MARK - 1;

    private final TransferPool pool;

    DatagramLandings(TransferPool pool) {
        this.pool = pool;
    }

    @Override
    public int open(Transfer transfer) {
        transfer.landings = this;
        return 0;
    }

    @Override
    public long address(Transfer transfer) {
        return transfer.id() & HIGH | MARK;
    }

    @Override
    public int key(Transfer transfer) {
        return (int) transfer.id();
    }

    /** Whether an address names a landing. */
    static boolean isMeant(long address) {
        return (address & MARK) != 0;
    }

    /**
     * Writes bytes if the peer was asked for them.
     *
     * @param from memory that contains them
     * @param at their start
     * @return whether all were written; if false, none was
     */
    boolean write(int key, long address, ByteBuffer from, int at, int length) {
        Transfer transfer = pool.find(address & HIGH | Integer.toUnsignedLong(key));
        long offset = address & OFFSET;
        if (transfer == null || transfer.landings != this || offset > transfer.length - length) {
            return false;
        }
        transfer.memory.bytes().put((int) (transfer.localOffset + offset), from, at, length);
        transfer.copied = true;
        return true;
    }

    @Override
    public void deliver(Transfer transfer, int count) {
        // the bytes are in place
    }

    @Override
    public void close(Transfer transfer) {
        transfer.landings = null;
    }

    @Override
    public int move() {
        return 0; // the peer names transfers
    }

    @Override
    public void leave() {
        // not registered with a device
    }

    @Override
    public void close() {
        // nothing to release
    }
}
