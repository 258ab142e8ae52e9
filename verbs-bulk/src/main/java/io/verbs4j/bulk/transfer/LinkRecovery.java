/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.Errno;
import io.verbs4j.bulk.control.Hello;
import io.verbs4j.bulk.recovery.Attempt;
import io.verbs4j.bulk.recovery.Recovery;
import io.verbs4j.bulk.strategy.Posts;

/**
 * Handles the loss of a connection and its recovery. Both sides close the old queue pair before a new one is connected:
 * a side that sends the next epoch in a hello guarantees that for its own. Identifiers of requests carry a tag of their
 * epoch, so that completions of an old queue pair do not count for the new one.
 */
public final class LinkRecovery {
    private static final int TAG = 16; // shift
    private static final int TAG_MASK = 0xffff;

    private final Link link;
    private Recovery policy;
    private volatile int epoch = 1;

    /** The attempt whose queue pair was created last. */
    private volatile Attempt pending;

    /** Whether the link uses the queue pair of {@link #pending}. */
    private boolean adopted;

    /** Whether it failed before the connection was up. */
    private boolean broken;

    /** The link's home on the device of {@link #pending}. */
    private Home pendingHome;

    /** Whether both sides can move to another device. */
    private boolean movable;

    /** Number of the peer's device. */
    private int peerDevice;

    LinkRecovery(Link link) {
        this.link = link;
    }

    /** Sets the policy if both sides want recovery; called before the connection is up. */
    public void agree(Recovery value) {
        policy = value;
    }

    /** Records the peer's hello. */
    public void met(Hello peer) {
        movable = policy != null && peer.moves();
        peerDevice = peer.device();
    }

    /** The policy, or null if the connection is not recovered. */
    public Recovery policy() {
        return policy;
    }

    /** Number of the connection, from 1. Any thread may ask. */
    public int epoch() {
        return epoch;
    }

    static int tag(int epoch) {
        return (epoch - 1 & TAG_MASK) << TAG;
    }

    /** Tag in the identifiers of requests. */
    int tag() {
        return tag(epoch);
    }

    boolean isOfNow(int number) {
        return number >>> TAG == tag(epoch) >>> TAG;
    }

    /** Whether a completion belongs to a new queue pair, to which the link then switches. */
    boolean adopts(int number) {
        boolean newer = isPending(number);
        if (newer) {
            adopt(pending);
        }
        return newer;
    }

    /** Whether a completion belongs to a new queue pair, which the link does not use yet. */
    boolean isPending(int number) {
        Attempt attempt = pending;
        return attempt != null && link.state().isRecovering() && number >>> TAG == tag(attempt.epoch()) >>> TAG;
    }

    /** Whether a receive can be posted now; otherwise it is posted when there is a queue pair again. */
    boolean takesReceives() {
        return !link.state().isLost() && mayReceive();
    }

    /** Whether messages may arrive through the last queue pair. */
    boolean mayReceive() {
        return adopted || !link.state().isRecovering();
    }

    /** Starts a recovery. Returns false if the connection must end. */
    boolean begin() {
        long now = System.nanoTime();
        boolean stuck = link.load.isLost() && !movable;
        if (policy == null || stuck || !link.state().isUp() || !policy.lost(now)) {
            return false;
        }
        boolean unused = link.state().lose(now);
        link.posts().fail();
        link.rails.failAll();
        link.transfers.addEnding(link);
        return true;
    }

    /** Handles the end of an epoch's connection, or the peer's reconnection: the peer has closed its queue pair. */
    public void disconnected(int ended) {
        if (ended == epoch) {
            broken = true;
            link.lose(Errno.ECONNRESET);
        }
    }

    void broken() {
        broken = true;
    }

    /** Records that something has completed. */
    void completed() {
        if (policy != null) {
            policy.completed();
        }
    }

    /**
     * Suspends the connection after its queue pair is closed and its completions handled. Returns whether to recover.
     */
    boolean suspend() {
        boolean unused = link.receiver.pollRing(); // nothing arrives after this
        if (!link.state().isLost() && !link.state().isRecovering()) {
            return false; // an arrival has ended the connection
        }
        link.state().suspend();
        link.datagrams().close();
        link.first.leaveLoad();
        link.rails.suspend();
        link.transfers.recovering.add(link);
        adopted = false;
        pending = null;
        if (link.load.isLost()) {
            link.leave();
        }
        policy.suspended(link.receiver.snapshot());
        return true;
    }

    /**
     * Handles a failed attempt, after its queue pair is closed and its completions handled. Returns whether another
     * attempt may follow.
     */
    public boolean failed(Attempt attempt) {
        if (!link.state().isRecovering() || pending != null && pending != attempt) {
            return false;
        }
        if (pending != null && link.protocol().ring()) {
            adopt(attempt); // the peer may have written
        }
        return suspend();
    }

    /**
     * Posts the receives, if any, to a new queue pair, which is not connected yet. For the thread that makes the
     * attempt. Returns 0 or an errno.
     *
     * @param home the link's home on the device of the queue pair
     */
    public int prepare(Attempt attempt, Home home, Posts to, boolean receives) {
        attempt.prepared(link.slots.receives(tag(attempt.epoch()), home.slots()), to);
        for (int i = 0; receives && i < link.limits.slots(); i++) {
            int errno = attempt.snapshot().isFree(i) ? to.receive(attempt.receives()[i]) : 0;
            if (errno != 0) {
                return errno;
            }
        }
        pendingHome = home;
        pending = attempt;
        return 0;
    }

    private void adopt(Attempt attempt) {
        epoch = attempt.epoch();
        adopted = true;
        broken = false;
        if (pendingHome != link.home()) {
            link.move(pendingHome);
        }
        link.slots.useReceives(attempt.receives());
        link.post(attempt.posts());
        link.datagrams().use();
        link.receiver.adopt(attempt.snapshot());
    }

    /** Continues with the new, connected queue pair, given the peer's received total. Returns whether it continues. */
    public boolean resume(Attempt attempt, Hello peer) {
        if (!link.state().isRecovering() || attempt != pending) {
            return false;
        }
        if (!adopted) {
            adopt(attempt);
        }
        if (!link.state().isRecovering()) {
            return false; // it lacks a resource
        }
        link.state().resume();
        if (link.datagrams().areUsed()) {
            link.datagrams().open();
        }
        attempt.posts().connected();
        policy.recovered(System.nanoTime());
        if (peer.moves() && peer.device() != peerDevice) {
            peerDevice = peer.device();
            link.addresses.peerMoved();
        }
        Replay replay = new Replay(link);
        if (!replay.begin(peer, attempt.posts(), link.sender.replay())) {
            link.fail(Errno.EPROTO);
            return false;
        }
        link.sender.replay(replay);
        if (link.load.isLost()) {
            link.deviceLost(); // meanwhile
        } else {
            boolean unused = link.sender.advanceReplay();
            link.flush();
        }
        if (broken || link.datagrams().haveFailed()) {
            link.lose(Errno.ECONNRESET);
        } else {
            link.rails.setup().start();
        }
        link.activate();
        return true;
    }
}
