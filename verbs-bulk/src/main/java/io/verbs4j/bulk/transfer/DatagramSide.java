/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.bulk.datagram.DatagramPosts;
import io.verbs4j.bulk.datagram.DatagramQueuePair;
import io.verbs4j.bulk.datagram.DatagramSlots;
import io.verbs4j.bulk.datagram.DatagramUser;
import io.verbs4j.bulk.memory.WindowWriter;
import io.verbs4j.bulk.strategy.Abilities;
import java.nio.ByteBuffer;

/** One queue pair of a connection by datagrams; passes its events to the connection. */
final class DatagramSide implements DatagramUser {
    /** Bits of an identifier that hold the place in the queue pair's memory. */
    private static final int PLACE_MASK = 0xffff;

    private final Link link;
    private final int tag;
    private final DatagramQueuePair qp;
    private final DatagramPosts posts;
    private final WindowWriter windows;
    private final DatagramLandings landings;
    private boolean active;
    private boolean closed;

    /** Whether it failed before the connection used it. */
    private boolean failed;

    /**
     * Creates the queue pair.
     *
     * @param tag part of the identifiers of requests, see {@link LinkRecovery}
     */
    DatagramSide(
            Link link,
            Home home,
            Abilities abilities,
            CompletionQueue cq,
            int port,
            int tag,
            DatagramLandings landings) {
        this.link = link;
        this.tag = tag;
        this.landings = landings;
        windows = new WindowWriter(link.transfers.windows, link.id());
        Slots slots = link.slots;
        long id = link.requestId(tag);
        qp = new DatagramQueuePair(
                home.pd(),
                abilities,
                cq,
                port,
                link.limits.sendDepth(),
                new DatagramSlots(
                        slots.bytes(), home.slots().slots().addr(), link.limits.slotBytes(), link.limits.slots()),
                this,
                id,
                Link.RECEIVE | id);
        posts = qp.posts();
    }

    DatagramQueuePair queuePair() {
        return qp;
    }

    /** Whether it failed before the connection used it. */
    boolean hasFailed() {
        return failed;
    }

    /** Stops all reports to the connection. */
    void close() {
        closed = true;
    }

    /** Handles a completed receive. */
    void arrived(int number, int status, int length) {
        posts.arrived(number & PLACE_MASK, status, qp.length(length));
    }

    /** Handles a datagram that has left the send queue. */
    void completed(int number, int status) {
        posts.completed(number & PLACE_MASK, status);
    }

    @Override
    public void sent(int number, int status) {
        if (!closed) {
            link.sent(number, status);
        }
    }

    @Override
    public void received(int slot, int status, boolean told, int immediate, int length) {
        if (!closed) {
            link.received(slot | tag, status, told, immediate, length);
        }
    }

    @Override
    public boolean place(int key, long address, ByteBuffer from, int at, int length) {
        return DatagramLandings.isMeant(address)
                ? landings.write(key, address, from, at, length)
                : windows.write(key, address, from, at, length);
    }

    @Override
    public void active() {
        if (!active) {
            active = true;
            link.transfers.datagrams.add(this);
        }
    }

    @Override
    public void failedBy(int status) {
        failed(WireError.isLoss(status) ? Errno.ECONNRESET : WireError.errno(status));
    }

    @Override
    public void failed(int errno) {
        if (closed || !link.recovery().isOfNow(tag)) {
            failed = true;
            posts.fail();
        } else if (errno == Errno.ECONNRESET) {
            link.recovery().broken();
            link.lose(errno);
        } else {
            link.fail(errno);
        }
    }

    /** Does all work that is due. */
    void advance() {
        active = false;
        posts.advance();
    }

    /** Returns the nanoseconds until work is due, at most {@code most}. */
    long untilNext(long most) {
        return posts.untilNext(most);
    }
}
