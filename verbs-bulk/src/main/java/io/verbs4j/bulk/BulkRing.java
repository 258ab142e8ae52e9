/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import io.verbs4j.bulk.progress.Driver;
import io.verbs4j.bulk.ring.RingLayout;
import io.verbs4j.bulk.ring.RingMemory;
import io.verbs4j.bulk.ring.UserSide;
import io.verbs4j.bulk.transfer.Submitter;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A submission ring and a completion ring in direct memory. For one thread at a time; with
 * {@link BulkProgress#SERVICE}, one thread may submit while another takes completions. Entries cost no allocation. No
 * call throws because of a peer, a device or a closed endpoint: completions report those errors.
 *
 * <pre>{@code
 * int i = ring.next();
 * ring.put(i, peer, buffer, 0, window, 0, length, 42);
 * ring.flags(i, BulkFlags.NOTIFY);
 * ring.submit();
 * ring.await(1, TimeUnit.SECONDS);
 * for (int c = ring.peek(); c >= 0; c = ring.peek()) {
 *     handle(ring.userData(c), ring.result(c));
 *     ring.advance(1);
 * }
 * }</pre>
 *
 * <p>From {@link #submit()} to its final completion, an entry's memory belongs to the transport. If the completion ring
 * is full, completions wait and no new entry is accepted until they fit, so a program that submits must also take
 * completions.
 */
public final class BulkRing {
    /** Minimum and maximum size of a submission ring. */
    static final int MIN_ENTRIES = 2;

    static final int MAX_ENTRIES = 1 << 20;

    private final Driver driver;
    private final Submitter submitter;
    private final UserSide user;
    private final BulkEntries entries;
    private final ByteBuffer bytes;

    BulkRing(Driver driver, RingMemory memory, Submitter submitter) {
        this.driver = driver;
        this.submitter = submitter;
        user = new UserSide(memory);
        bytes = memory.bytes();
        entries = new BulkEntries(bytes);
    }

    /** {@return the memory of both rings, read-only; docs/reference/bulk.md describes the layout} */
    public ByteBuffer memory() {
        return bytes.asReadOnlyBuffer().order(bytes.order());
    }

    /**
     * Takes a slot of the submission ring. Fill it in with one of the methods that name an operation, then with
     * {@link #flags(int, int)} and the like. The next {@link #submit()} submits it.
     *
     * @return the slot, for these methods; -1 if the ring is full: take completions and submit
     */
    public int next() {
        return user.next();
    }

    /**
     * Fills in a PUT, which writes bytes to a peer's window. It succeeds when all bytes are in the peer's memory; its
     * result is the length.
     *
     * @param entry slot from {@link #next()}
     * @param peer the peer
     * @param buffer the source
     * @param localOffset first byte in the buffer
     * @param window identifier of a window of the peer
     * @param remoteOffset first byte in the window
     * @param length number of bytes, from 0
     * @param userData identifies the entry in its completion
     */
    public void put(
            int entry,
            BulkPeer peer,
            BulkBuffer buffer,
            long localOffset,
            long window,
            long remoteOffset,
            long length,
            long userData) {
        entries.remote(
                entry, BulkOpcode.PUT, peer.id(), buffer.index(), localOffset, window, remoteOffset, length, userData);
    }

    /**
     * Fills in a GET, which reads bytes from a peer's window. Its result is the length.
     *
     * @param entry slot from {@link #next()}
     * @param peer the peer
     * @param buffer the destination
     * @param localOffset first byte in the buffer
     * @param window identifier of a window of the peer
     * @param remoteOffset first byte in the window
     * @param length number of bytes, from 0
     * @param userData identifies the entry in its completion
     */
    public void get(
            int entry,
            BulkPeer peer,
            BulkBuffer buffer,
            long localOffset,
            long window,
            long remoteOffset,
            long length,
            long userData) {
        entries.remote(
                entry, BulkOpcode.GET, peer.id(), buffer.index(), localOffset, window, remoteOffset, length, userData);
    }

    /**
     * Fills in a SEND, which sends a message to the peer's oldest RECV on the same stream. Messages of a stream arrive
     * in order. A short message succeeds when the peer's device has it; a long one when the peer has read it, which
     * requires a RECV there. {@link #value} is sent with the message.
     *
     * @param entry slot from {@link #next()}
     * @param peer the peer
     * @param stream number of the stream, 0 to 65535
     * @param buffer the source
     * @param offset first byte in the buffer
     * @param length number of bytes, from 0
     * @param userData identifies the entry in its completion
     */
    public void send(int entry, BulkPeer peer, int stream, BulkBuffer buffer, long offset, long length, long userData) {
        entries.remote(entry, BulkOpcode.SEND, peer.id(), buffer.index(), offset, 0, 0, length, userData);
        entries.stream(entry, stream);
    }

    /**
     * Fills in a RECV, which receives a peer's next message on a stream. Its result is the length of the message, its
     * value the sender's.
     *
     * @param entry slot from {@link #next()}
     * @param peer the peer
     * @param stream number of the stream, 0 to 65535
     * @param buffer the destination
     * @param offset first byte in the buffer
     * @param length maximum number of bytes; a longer message is lost, with {@link io.verbs4j.Errno#EMSGSIZE}
     * @param userData identifies the entry in its completion
     */
    public void receive(
            int entry, BulkPeer peer, int stream, BulkBuffer buffer, long offset, long length, long userData) {
        entries.remote(entry, BulkOpcode.RECV, peer.id(), buffer.index(), offset, 0, 0, length, userData);
        entries.stream(entry, stream);
    }

    /**
     * Fills in a COPY between buffers of this endpoint. Its result is the length.
     *
     * @param entry slot from {@link #next()}
     * @param from the source
     * @param fromOffset first byte in the source
     * @param to the destination
     * @param toOffset first byte in the destination; the two parts must not overlap
     * @param length number of bytes, from 0
     * @param userData identifies the entry in its completion
     */
    public void copy(
            int entry, BulkBuffer from, long fromOffset, BulkBuffer to, long toOffset, long length, long userData) {
        entries.remote(entry, BulkOpcode.COPY, 0, from.index(), fromOffset, to.index(), toOffset, length, userData);
    }

    /**
     * Fills in a CANCEL, which stops an entry of this ring. That entry then completes with
     * {@link io.verbs4j.Errno#ECANCELED}, or as usual if it was too late. If several entries have the target's user
     * data, one of them is stopped. The CANCEL itself completes with {@link io.verbs4j.Errno#ENOENT} if no entry in
     * flight has that user data, and with {@link io.verbs4j.Errno#EALREADY} if all of the entry is posted.
     *
     * @param entry slot from {@link #next()}
     * @param target user data of the entry to stop
     * @param userData identifies the CANCEL in its completion
     */
    public void cancel(int entry, long target, long userData) {
        entries.bare(entry, BulkOpcode.CANCEL, userData);
        entries.value(entry, target);
    }

    /**
     * Fills in a BARRIER, which completes after all earlier entries and before any later entry starts.
     *
     * @param entry slot from {@link #next()}
     * @param userData identifies the entry in its completion
     */
    public void barrier(int entry, long userData) {
        entries.bare(entry, BulkOpcode.BARRIER, userData);
    }

    /**
     * Fills in a NOP, which completes in its turn.
     *
     * @param entry slot from {@link #next()}
     * @param userData identifies the entry in its completion
     */
    public void nop(int entry, long userData) {
        entries.bare(entry, BulkOpcode.NOP, userData);
    }

    /**
     * Changes the flags of an entry that was filled in.
     *
     * @param entry slot from {@link #next()}
     * @param flags {@link BulkFlags} bits; 0 by default
     */
    public void flags(int entry, int flags) {
        entries.flags(entry, flags);
    }

    /**
     * Limits the time that an entry may take after the engine has accepted it. An entry that takes longer completes
     * with {@link io.verbs4j.Errno#ETIMEDOUT} once its posted requests have ended.
     *
     * @param entry slot from {@link #next()}
     * @param millis milliseconds, an unsigned number; 0, the default, means no limit
     */
    public void deadline(int entry, int millis) {
        entries.deadline(entry, millis);
    }

    /**
     * Changes the value of an entry that was filled in. With {@link BulkFlags#NOTIFY}, and for a SEND, the peer
     * receives the value. The entry's own completion also carries it. For a PUT with NOTIFY, a value of at most 32 bits
     * needs no separate message.
     *
     * @param entry slot from {@link #next()}
     * @param value any number; 0 by default
     */
    public void value(int entry, long value) {
        entries.value(entry, value);
    }

    /**
     * Submits all entries filled in since the last call. With {@link BulkProgress#CALLER}, also drives the endpoint.
     */
    public void submit() {
        user.publish();
        if (driver.isStopped()) {
            refuse();
        } else if (!driver.isService()) {
            driver.engine().turn();
        } else if (user.needsWakeup()) {
            driver.engine().wake();
        }
    }

    /** Locked because one thread may submit while another reads. */
    private void refuse() {
        synchronized (submitter) {
            submitter.refuseAll(BulkResult.ESHUTDOWN, 0);
        }
    }

    /**
     * Returns the oldest completion. With {@link BulkProgress#CALLER}, drives the endpoint if there is none.
     *
     * @return its slot, for the methods that read it; -1 if there is none
     */
    public int peek() {
        int place = user.peek();
        if (place < 0 && driver.isStopped()) {
            refuse();
            return user.peek();
        }
        if (place < 0 && !driver.isService()) {
            driver.engine().turn();
            return user.peek();
        }
        return place;
    }

    /**
     * Releases the oldest completions. Their slots must no longer be read.
     *
     * @param count how many
     * @throws IndexOutOfBoundsException if there are fewer completions
     */
    public void advance(int count) {
        Objects.checkIndex(count, user.ready() + 1);
        user.advance(count);
    }

    /**
     * Waits for a completion. The thread, which may be virtual, sleeps without a native call; with
     * {@link BulkProgress#CALLER}, it drives the endpoint meanwhile.
     *
     * @param timeout maximum time to wait; 0 does not wait
     * @param unit its unit
     * @return whether there is a completion; also false if the thread is interrupted, which it stays
     */
    public boolean await(long timeout, TimeUnit unit) {
        long nanos = unit.toNanos(timeout);
        if (driver.isStopped()) {
            return peek() >= 0;
        }
        if (!driver.isService()) {
            return driver.drive(() -> user.ready() > 0, nanos);
        }
        try {
            submitter.side().waiter().await(() -> user.ready() > 0 || driver.isStopped(), nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return user.ready() > 0 || driver.isStopped() && peek() >= 0;
    }

    /**
     * Passes all available completions to a handler.
     *
     * @param handler called for each completion; it may fill in and submit entries but must not read the ring
     * @return the number of completions
     */
    public int handle(BulkHandler handler) {
        int count = 0;
        for (int place = peek(); place >= 0; place = peek()) {
            long userData = userData(place);
            long result = result(place);
            int flags = resultFlags(place);
            int peer = peer(place);
            long value = resultValue(place);
            user.advance(1);
            count++;
            handler.completed(userData, result, flags, peer, value);
        }
        return count;
    }

    /**
     * {@return the user data of a completion}
     *
     * @param place slot from {@link #peek()}
     */
    public long userData(int place) {
        return bytes.getLong(place + RingLayout.CQE_USER_DATA);
    }

    /**
     * {@return the result of a completion: the number of bytes, or the negative of an errno}
     *
     * @param place slot from {@link #peek()}
     */
    public long result(int place) {
        return bytes.getLong(place + RingLayout.CQE_RESULT);
    }

    /**
     * {@return the flags of a completion, {@link BulkResult} bits}
     *
     * @param place slot from {@link #peek()}
     */
    public int resultFlags(int place) {
        return bytes.getInt(place + RingLayout.CQE_FLAGS);
    }

    /**
     * {@return the number of a completion's peer}
     *
     * @param place slot from {@link #peek()}
     */
    public int peer(int place) {
        return bytes.getInt(place + RingLayout.CQE_PEER);
    }

    /**
     * {@return the value of a completion; with {@link BulkResult#PARTIAL}, the number of bytes}
     *
     * @param place slot from {@link #peek()}
     */
    public long resultValue(int place) {
        return bytes.getLong(place + RingLayout.CQE_VALUE);
    }
}
