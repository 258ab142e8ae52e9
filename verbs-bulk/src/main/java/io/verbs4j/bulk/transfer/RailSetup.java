/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.bulk.control.ControlKind;
import io.verbs4j.bulk.control.ControlLayout;
import io.verbs4j.bulk.control.RailAddress;
import io.verbs4j.bulk.control.RailKeys;
import io.verbs4j.bulk.recovery.Recovery;
import io.verbs4j.bulk.strategy.Posts;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Sets up rails by messages: the side that has connected offers a queue pair, and the other one answers with its own. A
 * rail is over when both sides have reported that theirs is closed. For the driving thread.
 */
public final class RailSetup {
    private static final long FIRST_DELAY = TimeUnit.SECONDS.toNanos(1);
    private static final int MOST_DOUBLINGS = 6;

    /** Time for a peer to close a rail if lost connections are not recovered. */
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(30);

    private final Link link;
    private final RailTable rails;
    private final ReturnedPieces returned;
    private RailMaker maker;
    private boolean offers;

    /** Minimum attempt number of the peer's next offer for each rail in an epoch. */
    private final int[] nextAttempts = new int[RailKeys.MOST + 1];

    private int offeredEpoch;

    RailSetup(Link link, RailTable rails, ReturnedPieces returned) {
        this.link = link;
        this.rails = rails;
        this.returned = returned;
    }

    /**
     * Enables rails if both sides support them; called before the connection is up.
     *
     * @param by creates the queue pairs
     * @param first whether this side has connected
     */
    public void agree(RailMaker by, boolean first) {
        maker = by;
        offers = first;
    }

    /** Whether both sides support rails. */
    boolean isAgreed() {
        return maker != null;
    }

    /** Starts to offer rails when there is a queue pair for messages, for the first time or again. */
    void start() {
        if (maker != null && offers) {
            maker.offer(link);
        }
    }

    /** Records a queue pair that this side has created. */
    public void made(RailId id, Posts posts, DeviceLoad load, RailAddress address) {
        if (isFirst(id)) {
            Rail unused = rails.add(id);
        }
        Rail rail = rails.find(id, Rail.State.MAKING);
        if (rail == null || !isOfNow(id) || !link.state().isOpen()) {
            maker.close(link, id);
            return;
        }
        rail.lane = new RailLane(link, id, posts, load);
        rail.state = offers ? Rail.State.OFFERED : Rail.State.ANSWERED;
        if (rail.closedThere) {
            rails.fail(rail);
        } else {
            tell(offers ? ControlKind.RAIL_OFFER : ControlKind.RAIL_ANSWER, id, address);
            if (load.isLost()) {
                rails.fail(rail);
            }
        }
    }

    /** Whether this is the first queue pair of a rail that this side offers. */
    private boolean isFirst(RailId id) {
        boolean first = offers && rails.get(id.rail()) == null && id.attempt() == 0;
        return first && isOfNow(id) && link.state().isUp();
    }

    /**
     * Records that no queue pair could be created.
     *
     * @param last whether a retry is useless
     */
    public void notMade(RailId id, boolean last) {
        if (isFirst(id)) {
            Rail unused = rails.add(id);
        }
        Rail rail = rails.find(id, Rail.State.MAKING);
        if (rail == null) {
            return;
        }
        if (offers) {
            rails.remove(id.rail());
            if (!last) {
                again(id);
            }
            return;
        }
        rail.state = Rail.State.CLOSED;
        tellClosed(rail, last);
        endIfClosed(rail);
    }

    /** Records that the queue pair is connected to the peer's. */
    public void connected(RailId id) {
        Rail rail = rails.find(id, Rail.State.CONNECTING);
        if (rail != null) {
            rails.up(rail);
            link.message(ControlKind.RAIL_READY, id.encode(), 0);
        }
    }

    /** Records that the queue pair could not be connected to the peer's. */
    public void notConnected(RailId id) {
        Rail rail = rails.find(id, Rail.State.CONNECTING);
        if (rail != null) {
            rails.fail(rail);
        }
    }

    private boolean isOfNow(RailId id) {
        return id.epoch() == link.recovery().epoch();
    }

    private void tell(int kind, RailId id, RailAddress at) {
        link.messages.add(kind, id.encode(), at.high(), at.low(), at.port(), 0, at.numbers(), null);
        link.activate();
    }

    private void tellClosed(Rail rail, boolean last) {
        link.messages.add(ControlKind.RAIL_CLOSED, rail.id.encode(), 0, 0, 0, last ? 1 : 0, 0, null);
        link.activate();
    }

    /**
     * Handles a message of the peer.
     *
     * @return false if the peer violates the protocol
     */
    boolean take(int kind, ByteBuffer bytes, int at) {
        RailId id = RailId.decode(bytes.getLong(at + ControlLayout.ID));
        if (maker == null || id.rail() < 1 || id.rail() > RailKeys.MOST) {
            return false;
        }
        if (!isOfNow(id)) {
            return true; // sent before the connection was lost
        }
        Rail rail = rails.get(id.rail());
        boolean known = rail != null && rail.id.equals(id);
        return switch (kind) {
            case ControlKind.RAIL_OFFER -> offered(id, rail, RailAddress.read(bytes, at));
            case ControlKind.RAIL_ANSWER -> offers && (!known || answered(rail, RailAddress.read(bytes, at)));
            case ControlKind.RAIL_READY -> !offers && (!known || ready(rail));
            default -> {
                if (known) {
                    closedThere(rail, bytes.getInt(at + ControlLayout.RIGHTS) != 0);
                }
                yield true;
            }
        };
    }

    private boolean offered(RailId id, Rail old, RailAddress peer) {
        if (offers || old != null || !isNewer(id)) {
            return false;
        }
        Rail unused = rails.add(id);
        maker.answer(link, id, peer);
        return true;
    }

    /** Whether the peer has not offered this attempt number before; each offer in an epoch has its own. */
    private boolean isNewer(RailId id) {
        if (id.epoch() != offeredEpoch) {
            offeredEpoch = id.epoch();
            Arrays.fill(nextAttempts, 0);
        }
        boolean newer = id.attempt() >= nextAttempts[id.rail()];
        nextAttempts[id.rail()] = id.attempt() + 1;
        return newer;
    }

    private boolean answered(Rail rail, RailAddress peer) {
        if (rail.state == Rail.State.OFFERED) {
            rail.state = Rail.State.CONNECTING;
            maker.connect(link, rail.id, peer);
            return true;
        }
        return rail.isEnding();
    }

    private boolean ready(Rail rail) {
        if (rail.state == Rail.State.ANSWERED) {
            rails.up(rail);
            return true;
        }
        return rail.isEnding();
    }

    private void closedThere(Rail rail, boolean last) {
        rail.closedThere = true;
        rail.last |= last;
        if (rail.isOpen()) {
            rails.fail(rail);
        } else {
            endIfClosed(rail);
        }
    }

    /**
     * Closes failed queue pairs that have nothing in flight.
     *
     * @return whether any are left
     */
    boolean closeFailed(long now) {
        boolean left = false;
        for (int i = 1; i < rails.size(); i++) {
            Rail rail = rails.get(i);
            if (rail == null || rail.state != Rail.State.FAILING) {
                continue;
            }
            boolean settled = rail.lane.posted.isSettled() || now - rail.failingSince > LinkState.PATIENCE;
            if (settled && link.state().isUp()) {
                close(rail, now);
            } else {
                left |= link.state().isOpen() && !link.state().isLost();
            }
        }
        return left;
    }

    /**
     * Returns the remaining time for the peer to close rails that hold bytes. The limit is that of recovering a lost
     * connection.
     *
     * @return nanoseconds; {@link Long#MAX_VALUE} if there are no such rails
     */
    long patience(long now) {
        long left = Long.MAX_VALUE;
        for (int i = 1; link.state().isUp() && i < rails.size(); i++) {
            Rail rail = rails.get(i);
            if (rail != null && rail.isHeldByPeer()) {
                left = Math.min(left, limit() - (now - rail.closedSince));
            }
        }
        return left;
    }

    private long limit() {
        Recovery policy = link.recovery().policy();
        return policy == null ? PATIENCE : policy.limit();
    }

    private void close(Rail rail, long now) {
        maker.close(link, rail.id);
        rail.state = Rail.State.CLOSED;
        rail.closedSince = now;
        if (rail.isHeldByPeer()) {
            link.transfers.unanswered.add(link);
        }
        rail.lane.leaveLoad();
        tellClosed(rail, false);
        endIfClosed(rail);
    }

    /** If both queue pairs are closed, returns the bytes to be sent elsewhere and lets another rail follow. */
    private void endIfClosed(Rail rail) {
        if (rail.state != Rail.State.CLOSED || !rail.closedThere) {
            return;
        }
        if (rail.lane != null) {
            returned.addAll(rail.lane.posted);
        }
        rails.remove(rail.id.rail());
        rails.change(); // keys sent before have arrived by now
        if (offers && !rail.last) {
            again(rail.id);
        }
        link.activate();
    }

    private void again(RailId before) {
        RailId next = before.next();
        if (next.attempt() < RailId.MOST_ATTEMPTS) {
            Rail unused = rails.add(next);
            maker.offerAgain(link, next, FIRST_DELAY << Math.min(before.attempt(), MOST_DOUBLINGS));
        }
    }
}
