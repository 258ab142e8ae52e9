/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import io.verbs4j.Gid;
import io.verbs4j.natives.memory.NativeMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The way from a local address to another address of this machine: through a ring if possible. Thread-safe. */
public final class Channel {
    /** Size of a ring's description: magic, number, descriptor, bytes, GID of the receiver. */
    static final int DESCRIPTION = 48;

    private static final long FIRST_PAUSE = 100_000_000;
    private static final long LONGEST_PAUSE = 5_000_000_000L;

    private final OneCopy owner;
    private final Gid to;

    /** The ring to write to; null means that packets go through the socket. */
    private volatile RingWriter current;

    /** A ring offered but not yet accepted. */
    private volatile RingWriter offered;

    /** Whether packets went through the socket since the last record. The receiver must take these in first. */
    private volatile boolean sentPackets = true;

    private volatile boolean begins;

    // Guarded by this.
    private Peer peer;

    /** The last ring that the receiver ended. The receiver frees its memory; this side does if the receiver is gone. */
    private RingWriter leftBehind;

    private ByteBuffer description;
    private long nextAttempt;
    private long pause = FIRST_PAUSE;

    /** The peer's mailbox; null without a peer. */
    private volatile SharedMemory mailbox;

    private volatile String problem = "it has not been tried yet";

    /** Time of the last request for this channel, or of the last time a receiver was found. */
    private volatile long used = System.nanoTime();

    private volatile boolean dropped;

    Channel(OneCopy owner, Gid to) {
        this.owner = owner;
        this.to = to;
    }

    /** Returns whether the channel was dropped. It leads nowhere then, and another may replace it. */
    public boolean isDropped() {
        return dropped;
    }

    /** Marks the channel as dropped. */
    void dropped() {
        dropped = true;
    }

    Gid to() {
        return to;
    }

    /** Returns why there is no ring; meaningless if there is one. */
    String problem() {
        return problem;
    }

    /** Returns whether a ring waits to be accepted. */
    boolean isOffering() {
        return offered != null;
    }

    /** Returns the ring to write packets to, or null if they must go through the socket. */
    public RingWriter ring() {
        RingWriter ring = current;
        return ring != null || offered == null ? ring : accepted();
    }

    private RingWriter accepted() {
        RingWriter ring = offered;
        if (ring == null || !ring.isAccepted()) {
            return null;
        }
        synchronized (this) {
            if (offered == ring) {
                offered = null;
                description = null;
                ring.begin();
                current = ring;
                pause = FIRST_PAUSE;
                owner.surroundings().count(Surroundings.Count.RINGS, 1);
            }
        }
        return current;
    }

    // ---- for the ring

    boolean takeSentPackets() {
        if (sentPackets) {
            sentPackets = false;
            return true;
        }
        return false;
    }

    /** Notes that packets go through the socket. */
    public void sendsPackets() {
        if (!sentPackets) {
            sentPackets = true;
        }
    }

    void count(int records, long bytes, int full) {
        Surroundings s = owner.surroundings();
        s.count(Surroundings.Count.SENT, records);
        s.count(Surroundings.Count.SENT_BYTES, bytes);
        if (full > 0) {
            s.count(Surroundings.Count.FULL, full);
        }
    }

    /** Tells the receiver that the ring of the given place has records, and wakes it if it sleeps. */
    void wake(int place) {
        SharedMemory box = mailbox;
        if (box == null) {
            return;
        }
        Mailbox.note(box, place);
        wake(box);
    }

    private void wake(SharedMemory box) {
        if (box.get(Mailbox.SLEEPING) != 0 && Mailbox.wake(box)) {
            owner.surroundings().count(Surroundings.Count.WAKEUPS, 1);
            owner.surroundings().signal(to, Signal.WAKE, 0);
        }
    }

    /** Returns whether {@link #tell} can reach the receiver. */
    boolean canTell() {
        return mailbox != null;
    }

    /** Wakes the receiver if it sleeps: there are receipts for what it has sent. */
    void tell() {
        SharedMemory box = mailbox;
        if (box != null) {
            wake(box);
        }
    }

    /** Ends a ring that the receiver has ended. Packets go through the socket until there is another ring. */
    void lost(RingWriter ring) {
        if (current == ring) {
            owner.end(this, ring);
        }
    }

    /**
     * Ends a ring whose receiver does not get the memory lent to it. Packets go through the socket until a new
     * connection begins or a pause is over; then another ring is tried.
     */
    void distrust(RingWriter ring) {
        end(ring);
        synchronized (this) {
            problem = "memory lent through it did not arrive";
            nextAttempt = System.nanoTime() + LONGEST_PAUSE;
        }
    }

    /** Checks whether a receiver that has taken nothing for a while still exists. */
    void suspect(RingWriter ring) {
        if (current == ring) {
            giveBackUnlessThere();
        }
    }

    // ---- maintenance

    /** Returns whether resources are held for a receiver. */
    synchronized boolean hasPeer() {
        return peer != null || current != null || offered != null || mailbox != null;
    }

    /** Returns the nanoseconds for which the channel has been unused, or -1 while it holds resources for a receiver. */
    synchronized long unusedFor(long now) {
        return hasPeer() ? -1 : Math.max(0, now - used);
    }

    /** Frees what is held for a receiver that is gone; call it periodically. */
    void lookAfter(long now) {
        if (giveBackUnlessThere()) {
            used = now;
        }
    }

    /** Returns whether the receiver exists. If not, everything held for it is freed. */
    private boolean giveBackUnlessThere() {
        Peer known = peer();
        if (known == null) {
            return false;
        }
        if (owner.processes().look(known) != Processes.Sight.GONE) {
            return true; // also if it can no longer be read, because it may still be reading
        }
        RingWriter ring;
        RingWriter behind;
        synchronized (this) {
            if (!known.isSame(peer)) {
                return peer != null; // replaced by another peer
            }
            ring = current;
            behind = leftBehind;
            current = null;
            leftBehind = null;
            drop();
            peer = null;
            mailbox = null;
            description = null;
            problem = "the receiver is gone";
            pause = FIRST_PAUSE;
            nextAttempt = System.nanoTime() + FIRST_PAUSE;
        }
        if (ring != null) {
            giveBack(ring, known);
        }
        if (behind != null) {
            behind.discard();
        }
        return false;
    }

    private synchronized Peer peer() {
        return peer;
    }

    private void giveBack(RingWriter ring, Peer gone) {
        if (owner.processes().isDead(gone)) {
            ring.giveUp(); // even if the ring shows a copy in progress
        } else {
            ring.close();
        }
        ring.discard();
    }

    /** Ends a ring. Must not be called while holding its lock. */
    void end(RingWriter ring) {
        synchronized (this) {
            if (current == ring) {
                current = null;
                leftBehind = ring;
                problem = "the receiver is gone or accepts nothing more";
                nextAttempt = System.nanoTime() + FIRST_PAUSE;
            } else if (offered == ring) {
                offered = null;
            } else {
                return;
            }
        }
        ring.close();
    }

    // ---- making a ring

    /**
     * Notes that a connection begins. The next {@link #maintain} tries to make a ring, or checks that the receiver of
     * the existing one still takes records.
     */
    void wanted() {
        used = System.nanoTime();
        begins = true;
    }

    /** Tries to make a ring if it is time to, or if a connection begins. */
    void maintain(long now) {
        boolean beginning = begins;
        begins = false;
        attempt(now, beginning);
    }

    private void attempt(long now, boolean beginning) {
        RingWriter ring = ring();
        if (ring != null) {
            if (beginning) {
                suspect(ring);
            }
            return;
        }
        synchronized (this) {
            // A sender may have found the ring accepted in the meantime; another ring would end that one.
            if (current != null || owner.isClosed() || !beginning && now - nextAttempt < 0) {
                return;
            }
            nextAttempt = now + pause;
            pause = Math.min(2 * pause, LONGEST_PAUSE);
            try {
                open();
            } catch (IOException | UnsupportedOperationException | OutOfMemoryError e) {
                problem = e.toString(); // packets use the socket
            }
        }
    }

    private void open() throws IOException {
        Peer found = owner.directory().find(to);
        if (found == null) {
            problem = "no process of this user has published the address";
            return;
        }
        Processes.Sight sight = owner.look(found);
        if (sight != Processes.Sight.THERE) {
            problem = "the process that published the address "
                    + (sight == Processes.Sight.REFUSED ? "may not be read" : "is gone");
            return;
        }
        used = System.nanoTime();
        if (!found.isSame(peer) || mailbox == null) {
            drop();
            mailbox = Mailbox.open(owner.kernel(), found);
            peer = found;
        }
        if (offered == null) {
            RingWriter ring = RingWriter.create(owner.kernel(), this);
            description = ByteBuffer.allocateDirect(DESCRIPTION).order(ByteOrder.nativeOrder());
            description.putLong(0, RingLayout.MAGIC).putLong(8, ring.number());
            description.putLong(16, ring.fd()).putLong(24, RingLayout.SIZE);
            description.putLong(32, to.subnetPrefix()).putLong(40, to.interfaceId());
            offered = ring;
        }
        problem = "the receiver has not accepted it yet";
        owner.surroundings().signal(to, Signal.RING, NativeMemory.address(description));
    }

    /** Forgets a ring that was never written to. */
    private void drop() {
        RingWriter ring = offered;
        offered = null;
        if (ring != null) {
            ring.giveUp();
            ring.discard();
        }
    }

    /** Ends the rings because the link closes. */
    void close() {
        giveBackUnlessThere();
        RingWriter ring;
        synchronized (this) {
            drop();
            ring = current;
            current = null;
        }
        if (ring != null) {
            ring.close(); // outside the lock, because a sender may be about to end the ring
        }
    }
}
