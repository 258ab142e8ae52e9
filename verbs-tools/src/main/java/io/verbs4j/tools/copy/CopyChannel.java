/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.copy;

import io.verbs4j.bulk.BulkBuffer;
import io.verbs4j.bulk.BulkFlags;
import io.verbs4j.bulk.BulkPeer;
import io.verbs4j.bulk.BulkResult;
import io.verbs4j.bulk.BulkRing;
import io.verbs4j.tools.text.Printable;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * Messages with one peer, and blocks to it. One thread receives and sends messages; another may put blocks. A silent
 * peer is pinged, so that a dead one is noticed.
 */
final class CopyChannel {
    private static final long PING_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final int STREAM = 0;

    private static final long RECEIVE = 0;
    private static final long SEND = 1L << 8;
    private static final long PUT = 2L << 8;
    private static final long BLOCK = 3L << 8;

    /** Called when the transport has released a slot. */
    interface Slots {
        /** Called when a put, or the message about it, has completed. */
        void completed(int slot);
    }

    private final BulkRing ring;
    private final BulkPeer peer;
    private final BulkBuffer messages;
    private final ByteBuffer bytes;
    private final Slots slots;
    private final Deque<Message> inbox = new ArrayDeque<>();
    private final Deque<Integer> freeSends = new ArrayDeque<>();

    /** Guards submissions and {@link #underWay}. */
    private final Object lock = new Object();

    private int underWay;

    /** Messages that arrived before the loss are received first, for instance a last one. */
    private ConnectionLost lost;

    private boolean pinged;
    private long heard = System.nanoTime();

    /**
     * Starts to use a ring with nothing in flight.
     *
     * @param ring the ring
     * @param messages memory for messages, {@link #messageBytes()}
     * @param peer the peer
     * @param slots called when puts complete
     */
    CopyChannel(BulkRing ring, BulkBuffer messages, BulkPeer peer, Slots slots) {
        this.ring = ring;
        this.messages = messages;
        this.peer = peer;
        this.slots = slots;
        bytes = messages.bytes();
        for (int i = 0; i < CopySizes.SENDS; i++) {
            freeSends.add(i);
        }
        for (int i = 0; i < CopySizes.RECEIVES; i++) {
            postReceive(i);
        }
    }

    /** {@return the number of bytes that messages need} */
    static int messageBytes() {
        return (CopySizes.RECEIVES + CopySizes.SENDS + CopySizes.SLOTS) * CopySizes.MESSAGE;
    }

    BulkPeer peer() {
        return peer;
    }

    private void postReceive(int index) {
        synchronized (lock) {
            ring.receive(
                    next(),
                    peer,
                    STREAM,
                    messages,
                    (long) index * CopySizes.MESSAGE,
                    CopySizes.MESSAGE,
                    RECEIVE | index);
            ring.submit();
        }
    }

    /**
     * {@return an entry of the ring} There is always one, because fewer operations are in flight than the ring has
     * entries.
     */
    private int next() {
        int entry = ring.next();
        while (entry < 0) {
            Thread.onSpinWait(); // the transport has not yet taken what was submitted
            entry = ring.next();
        }
        underWay++;
        return entry;
    }

    /** Sends a message; waits if too many are in flight. */
    void send(Message message) throws ConnectionLost {
        while (freeSends.isEmpty()) {
            tick(PING_NANOS);
        }
        requireConnection();
        int index = freeSends.remove();
        synchronized (lock) {
            send(message, CopySizes.RECEIVES + index, SEND | index);
            ring.submit();
        }
    }

    private void send(Message message, int place, long userData) {
        int offset = place * CopySizes.MESSAGE;
        ByteBuffer to = bytes.duplicate().position(offset).limit(offset + CopySizes.MESSAGE);
        message.write(to);
        ring.send(next(), peer, STREAM, messages, offset, to.position() - offset, userData);
    }

    /**
     * Puts a block to the peer's window, then sends the message about it. Any one thread may call it.
     *
     * @param block the message
     * @param from buffer with this side's slots
     * @param length bytes of the block
     * @param window the peer's window, with as many slots
     */
    void put(Message.Block block, BulkBuffer from, int length, long window) {
        int slot = block.slot();
        long offset = (long) slot * CopySizes.BLOCK;
        synchronized (lock) {
            if (!block.zeros()) {
                int entry = next();
                ring.put(entry, peer, from, offset, window, offset, length, PUT | slot);
                ring.flags(entry, BulkFlags.LINK); // the message follows the block
            }
            send(block, CopySizes.RECEIVES + CopySizes.SENDS + slot, BLOCK | slot);
            ring.submit();
        }
    }

    /** {@return the next message that is not a ping, or null if none comes in time} */
    Message receive(long nanos) throws ConnectionLost {
        long end = System.nanoTime() + nanos;
        while (inbox.isEmpty()) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                return null;
            }
            pump(left);
            if (inbox.isEmpty()) {
                requireConnection();
            }
        }
        return inbox.remove();
    }

    /** {@return the next message that is not a ping} */
    Message receive() throws ConnectionLost {
        Message message = null;
        while (message == null) {
            message = receive(PING_NANOS);
        }
        return message;
    }

    /**
     * Handles what has arrived, and waits at most this long for more; called during long work so that the peer gets
     * answers.
     */
    void tick(long nanos) throws ConnectionLost {
        pump(nanos);
        requireConnection();
    }

    private void requireConnection() throws ConnectionLost {
        if (lost != null) {
            throw lost;
        }
    }

    /** Waits until all messages were sent. The peer may then end the connection at once. */
    void flush() throws ConnectionLost {
        while (freeSends.size() < CopySizes.SENDS) {
            requireConnection();
            pump(PING_NANOS);
        }
    }

    private void pump(long nanos) throws ConnectionLost {
        boolean some = ring.await(Math.min(nanos, PING_NANOS), TimeUnit.NANOSECONDS);
        if (Thread.currentThread().isInterrupted()) {
            throw new ConnectionLost("interrupted");
        }
        for (int place = some ? ring.peek() : -1; place >= 0; place = ring.peek()) {
            long userData = ring.userData(place);
            long result = ring.result(place);
            boolean notification = (ring.resultFlags(place) & BulkResult.NOTIFY_ARRIVED) != 0;
            ring.advance(1);
            if (!notification) { // another program's notification, meaningless here
                completed(userData, result);
            }
        }
        if (lost == null && System.nanoTime() - heard > PING_NANOS && !pinged && !freeSends.isEmpty()) {
            pinged = true;
            send(new Message.Ping());
        }
    }

    private void completed(long userData, long result) throws ConnectionLost {
        synchronized (lock) {
            underWay--;
        }
        if (result < 0) {
            if (lost == null) {
                lost = new ConnectionLost("the connection was lost (" + BulkResult.toString(result) + ")");
            }
            return;
        }
        int index = (int) (userData & 0xff);
        long kind = userData - index;
        if (kind == RECEIVE) {
            heard = System.nanoTime();
            pinged = false;
            int offset = index * CopySizes.MESSAGE;
            Message message = Message.read(bytes.slice(offset, (int) result));
            postReceive(index);
            if (!(message instanceof Message.Ping)) {
                inbox.add(message);
            }
        } else if (kind == SEND) {
            freeSends.add(index);
            if (pinged && freeSends.size() == CopySizes.SENDS) {
                heard = System.nanoTime(); // the peer's device has it, so the peer is alive
                pinged = false;
            }
        } else {
            slots.completed(index);
        }
    }

    /**
     * Ends the connection, and waits until the transport has released all memory.
     *
     * @return whether it has; if not, the ring and its memory can't be used again
     */
    boolean close() {
        peer.close();
        long end = System.nanoTime() + DRAIN_NANOS;
        while (isUnderWay() && end - System.nanoTime() > 0) {
            boolean unused = ring.await(100, TimeUnit.MILLISECONDS);
            for (int place = ring.peek(); place >= 0; place = ring.peek()) {
                boolean notification = (ring.resultFlags(place) & BulkResult.NOTIFY_ARRIVED) != 0;
                ring.advance(1);
                synchronized (lock) {
                    underWay -= notification ? 0 : 1;
                }
            }
        }
        return !isUnderWay();
    }

    private boolean isUnderWay() {
        synchronized (lock) {
            return underWay > 0;
        }
    }

    /** {@return the failure for an unexpected message} */
    static ConnectionLost unexpected(Message message) {
        return new ConnectionLost(
                "the peer sent " + Printable.of(message.getClass().getSimpleName()) + " out of turn");
    }
}
