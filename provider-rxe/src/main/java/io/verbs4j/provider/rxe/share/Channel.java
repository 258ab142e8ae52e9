/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import io.verbs4j.Gid;
import io.verbs4j.natives.memory.NativeMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The way from a local address to another one of this machine: a ring where that is to be had. Any thread may use it. */
public final class Channel {
    /** Description of a ring: magic, number, descriptor, bytes, GID of the receiver. */
    static final int DESCRIPTION = 48;

    private static final long FIRST_PAUSE = 100_000_000;
    private static final long LONGEST_PAUSE = 5_000_000_000L;

    private final OneCopy owner;
    private final Gid to;

    /** What is put into; null: there are packets. */
    private volatile RingWriter current;

    /** What was offered and is not accepted yet. */
    private volatile RingWriter offered;

    /** Whether packets went by the socket since the last record: they come first. */
    private volatile boolean sentPackets = true;

    private volatile boolean begins;

    // Guarded by this.
    private Peer peer;

    /** The last ring that the receiver has ended: it gives the memory back, if it does not end itself before. */
    private RingWriter leftBehind;

    private ByteBuffer description;
    private long nextAttempt;
    private long pause = FIRST_PAUSE;

    /** The peer's; null where there is none. */
    private volatile SharedMemory mailbox;

    private volatile String problem = "it was not tried yet";

    /** When it was asked for, or somebody found there, the last time. */
    private volatile long used = System.nanoTime();

    private volatile boolean dropped;

    Channel(OneCopy owner, Gid to) {
        this.owner = owner;
        this.to = to;
    }

    /** Whether it is forgotten, and leads nowhere any more: there may be another one. */
    public boolean isDropped() {
        return dropped;
    }

    /** It is forgotten. */
    void dropped() {
        dropped = true;
    }

    Gid to() {
        return to;
    }

    /** Why there is no ring; meaningless where there is one. */
    String problem() {
        return problem;
    }

    /** Whether a ring waits to be accepted. */
    boolean isOffering() {
        return offered != null;
    }

    /** The ring to put packets into; null where they are to go by the socket. */
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

    /** Packets go by the socket. */
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

    /** Tells the receiver that the ring of a place has something, and wakes it where it sleeps. */
    void wake(int place) {
        SharedMemory box = mailbox;
        if (box == null) {
            return;
        }
        Mailbox.note(box, place);
        if (box.get(Mailbox.SLEEPING) != 0 && Mailbox.wake(box)) {
            owner.surroundings().count(Surroundings.Count.WAKEUPS, 1);
            owner.surroundings().signal(to, Signal.WAKE, 0);
        }
    }

    /** The receiver has ended the ring: packets from now on, until there is another. */
    void lost(RingWriter ring) {
        if (current == ring) {
            owner.end(this, ring);
        }
    }

    /**
     * The receiver does not get what is lent to it: packets from now on, and another ring when something begins, or
     * after a while.
     */
    void distrust(RingWriter ring) {
        end(ring);
        synchronized (this) {
            problem = "what was lent by it did not come";
            nextAttempt = System.nanoTime() + LONGEST_PAUSE;
        }
    }

    /** The receiver has taken nothing for a while: is it there at all? */
    void suspect(RingWriter ring) {
        if (current == ring) {
            giveBackUnlessThere();
        }
    }

    // ---- looking after

    /** Whether something is held for a receiver. */
    synchronized boolean hasPeer() {
        return peer != null || current != null || offered != null || mailbox != null;
    }

    /** How long it has been of no use, in nanoseconds; -1 where it is in use, or is to be. */
    synchronized long unusedFor(long now) {
        return hasPeer() ? -1 : Math.max(0, now - used);
    }

    /** Gives back what is held for a receiver that is gone; to be called every now and then. */
    void lookAfter(long now) {
        if (giveBackUnlessThere()) {
            used = now;
        }
    }

    /** Whether the receiver is there; whatever was held for it is given back where it is not. */
    private boolean giveBackUnlessThere() {
        Peer known = peer();
        if (known == null) {
            return false;
        }
        if (owner.processes().look(known) != Processes.Sight.GONE) {
            return true; // also where it must not be read any more: it may go on reading
        }
        RingWriter ring;
        RingWriter behind;
        synchronized (this) {
            if (!known.isSame(peer)) {
                return peer != null; // another one has come
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
            ring.abandon(); // whatever it says of a copy
        } else {
            ring.close();
        }
        ring.discard();
    }

    /** Ends a ring, not within its lock. */
    void end(RingWriter ring) {
        synchronized (this) {
            if (current == ring) {
                current = null;
                leftBehind = ring;
                problem = "the receiver is gone or takes no more";
                nextAttempt = System.nanoTime() + FIRST_PAUSE;
            } else if (offered == ring) {
                offered = null;
            } else {
                return;
            }
        }
        ring.close();
    }

    // ---- making one

    /** A connection begins: a ring is to be looked for soon, or looked at whether it is still taken from. */
    void wanted() {
        used = System.nanoTime();
        begins = true;
    }

    /** Tries to have a ring where it is time to, or something begins. */
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
            // Who sends may have found since that it is accepted: another one would end it.
            if (current != null || owner.isClosed() || !beginning && now - nextAttempt < 0) {
                return;
            }
            nextAttempt = now + pause;
            pause = Math.min(2 * pause, LONGEST_PAUSE);
            try {
                open();
            } catch (IOException | UnsupportedOperationException | OutOfMemoryError e) {
                problem = e.toString(); // there are packets
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
            problem = "the process that has published the address "
                    + (sight == Processes.Sight.REFUSED ? "must not be read" : "is gone");
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

    /** Forgets a ring that nobody has put anything into. */
    private void drop() {
        RingWriter ring = offered;
        offered = null;
        if (ring != null) {
            ring.abandon();
            ring.discard();
        }
    }

    /** The link is closed. */
    void close() {
        giveBackUnlessThere();
        RingWriter ring;
        synchronized (this) {
            drop();
            ring = current;
            current = null;
        }
        if (ring != null) {
            ring.close(); // not above: who puts something in may be about to end the ring
        }
    }
}
