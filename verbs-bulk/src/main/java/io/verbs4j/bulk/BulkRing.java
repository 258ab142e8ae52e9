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
 * A submission ring and a completion ring in direct memory, for one thread at a time; with {@link BulkProgress#SERVICE}
 * one thread may submit while another one takes completions. Nothing is allocated for an entry,
 * and no call throws for what a peer, a device or a closed endpoint does: that is in completions.
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
 * <p>From {@link #submit()} to the final completion of an entry its memory belongs to the transport. A completion that
 * finds no room waits, and no entry is taken until it has its place: a thread that submits also takes completions.
 */
public final class BulkRing {
    /** Fewest and most entries of a submission ring. */
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

    /** {@return the memory of both rings, read-only; docs/reference/bulk.md has the layout} */
    public ByteBuffer memory() {
        return bytes.asReadOnlyBuffer().order(bytes.order());
    }

    /**
     * Takes a place of the submission ring. Fill it in by one of the methods that name an operation, then by {@link
     * #flags(int, int)} and the like; it is submitted with the next {@link #submit()}.
     *
     * @return the place, for these methods; -1 where the ring is full: take completions, and submit
     */
    public int next() {
        return user.next();
    }

    /**
     * Fills in a PUT: writes bytes to a peer's window. Good when all bytes are in the peer's memory; its result is the
     * length.
     *
     * @param entry place of {@link #next()}
     * @param peer the peer
     * @param buffer where the bytes are
     * @param localOffset first byte in the buffer
     * @param window identifier of a window of the peer's
     * @param remoteOffset first byte in the window
     * @param length bytes, from 0
     * @param userData what the completion names the entry by
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
     * Fills in a GET: reads bytes from a peer's window. Its result is the length.
     *
     * @param entry place of {@link #next()}
     * @param peer the peer
     * @param buffer where the bytes go
     * @param localOffset first byte in the buffer
     * @param window identifier of a window of the peer's
     * @param remoteOffset first byte in the window
     * @param length bytes, from 0
     * @param userData what the completion names the entry by
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
     * Fills in a SEND: sends a message, to the oldest RECV of the peer's on the same stream. Messages of a stream
     * arrive in their order. A short message is good when the peer's device has it, a long one when the peer has read
     * it, for which the peer needs a RECV. {@link #value} goes with it.
     *
     * @param entry place of {@link #next()}
     * @param peer the peer
     * @param stream number of the stream, 0 to 65535
     * @param buffer where the bytes are
     * @param offset first byte in the buffer
     * @param length bytes, from 0
     * @param userData what the completion names the entry by
     */
    public void send(int entry, BulkPeer peer, int stream, BulkBuffer buffer, long offset, long length, long userData) {
        entries.remote(entry, BulkOpcode.SEND, peer.id(), buffer.index(), offset, 0, 0, length, userData);
        entries.stream(entry, stream);
    }

    /**
     * Fills in a RECV: takes the next message of a peer on a stream. Its result is the length of the message, its value
     * the sender's.
     *
     * @param entry place of {@link #next()}
     * @param peer the peer
     * @param stream number of the stream, 0 to 65535
     * @param buffer where the bytes go
     * @param offset first byte in the buffer
     * @param length room in bytes; a longer message is lost, with {@link io.verbs4j.Errno#EMSGSIZE}
     * @param userData what the completion names the entry by
     */
    public void receive(
            int entry, BulkPeer peer, int stream, BulkBuffer buffer, long offset, long length, long userData) {
        entries.remote(entry, BulkOpcode.RECV, peer.id(), buffer.index(), offset, 0, 0, length, userData);
        entries.stream(entry, stream);
    }

    /**
     * Fills in a COPY between buffers of this endpoint. Its result is the length.
     *
     * @param entry place of {@link #next()}
     * @param from where the bytes are
     * @param fromOffset first byte there
     * @param to where the bytes go
     * @param toOffset first byte there; the parts must not overlap
     * @param length bytes, from 0
     * @param userData what the completion names the entry by
     */
    public void copy(
            int entry, BulkBuffer from, long fromOffset, BulkBuffer to, long toOffset, long length, long userData) {
        entries.remote(entry, BulkOpcode.COPY, 0, from.index(), fromOffset, to.index(), toOffset, length, userData);
    }

    /**
     * Fills in a CANCEL: stops an entry of this ring, which then completes with {@link io.verbs4j.Errno#ECANCELED}, or
     * as usual where that was too late. Of several with the same user data, one is stopped.
     *
     * @param entry place of {@link #next()}
     * @param target user data of the entry to stop
     * @param userData what the completion of the CANCEL names it by; {@link io.verbs4j.Errno#ENOENT} where no entry is
     *     under way that has the target's user data, {@link io.verbs4j.Errno#EALREADY} where all of it is posted
     */
    public void cancel(int entry, long target, long userData) {
        entries.bare(entry, BulkOpcode.CANCEL, userData);
        entries.value(entry, target);
    }

    /**
     * Fills in a BARRIER: completes after all entries before it, and before any after it starts.
     *
     * @param entry place of {@link #next()}
     * @param userData what the completion names the entry by
     */
    public void barrier(int entry, long userData) {
        entries.bare(entry, BulkOpcode.BARRIER, userData);
    }

    /**
     * Fills in a NOP, which completes when its turn comes.
     *
     * @param entry place of {@link #next()}
     * @param userData what the completion names the entry by
     */
    public void nop(int entry, long userData) {
        entries.bare(entry, BulkOpcode.NOP, userData);
    }

    /**
     * Changes the flags of an entry that was filled in.
     *
     * @param entry place of {@link #next()}
     * @param flags {@link BulkFlags} bits; 0 by default
     */
    public void flags(int entry, int flags) {
        entries.flags(entry, flags);
    }

    /**
     * Changes how long an entry that was filled in may take, from when it is taken. One that takes longer completes
     * with {@link io.verbs4j.Errno#ETIMEDOUT}, when what is posted of it has ended.
     *
     * @param entry place of {@link #next()}
     * @param millis milliseconds, as an unsigned number; 0, the default, for as long as it takes
     */
    public void deadline(int entry, int millis) {
        entries.deadline(entry, millis);
    }

    /**
     * Changes the value of an entry that was filled in: with {@link BulkFlags#NOTIFY} and of a SEND it is the peer's.
     * Its own completion has it, too. A value of 32 bits costs a PUT with NOTIFY no message of its own.
     *
     * @param entry place of {@link #next()}
     * @param value any number; 0 by default
     */
    public void value(int entry, long value) {
        entries.value(entry, value);
    }

    /** Submits all entries that were filled in since the last time. With {@link BulkProgress#CALLER} also drives. */
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

    /** One thread may submit while another one reads. */
    private void refuse() {
        synchronized (submitter) {
            submitter.refuseAll(BulkResult.ESHUTDOWN, 0);
        }
    }

    /**
     * The oldest completion. With {@link BulkProgress#CALLER} drives where there is none.
     *
     * @return its place, for the methods that read it; -1 where there is none
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
     * Gives the oldest completions back. Their places must not be read any more.
     *
     * @param count how many
     * @throws IndexOutOfBoundsException where there are not so many
     */
    public void advance(int count) {
        Objects.checkIndex(count, user.ready() + 1);
        user.advance(count);
    }

    /**
     * Waits for a completion. The thread, which may be a virtual one, sleeps without a native call; with {@link
     * BulkProgress#CALLER} it drives meanwhile.
     *
     * @param timeout longest time; 0 only looks
     * @param unit its unit
     * @return whether there is one; false also where the thread is interrupted, which it stays
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
     * Hands all completions that are there to a handler.
     *
     * @param handler what to call for each; it may fill in and submit entries, but must not read the ring
     * @return how many there were
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
     * @param place of {@link #peek()}
     */
    public long userData(int place) {
        return bytes.getLong(place + RingLayout.CQE_USER_DATA);
    }

    /**
     * {@return the result of a completion: a number of bytes, or the negative of an errno}
     *
     * @param place of {@link #peek()}
     */
    public long result(int place) {
        return bytes.getLong(place + RingLayout.CQE_RESULT);
    }

    /**
     * {@return the flags of a completion, {@link BulkResult} bits}
     *
     * @param place of {@link #peek()}
     */
    public int resultFlags(int place) {
        return bytes.getInt(place + RingLayout.CQE_FLAGS);
    }

    /**
     * {@return the number of the peer of a completion}
     *
     * @param place of {@link #peek()}
     */
    public int peer(int place) {
        return bytes.getInt(place + RingLayout.CQE_PEER);
    }

    /**
     * {@return the value of a completion; with {@link BulkResult#PARTIAL} the number of bytes}
     *
     * @param place of {@link #peek()}
     */
    public long resultValue(int place) {
        return bytes.getLong(place + RingLayout.CQE_VALUE);
    }
}
