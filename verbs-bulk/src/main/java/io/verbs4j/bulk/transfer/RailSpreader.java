/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.bulk.ring.EntryCode;

/** Spreads the pieces of long transfers over the queue pairs of a connection. */
final class RailSpreader {
    /** Transfers of less than this part of a piece stay on the first queue pair. */
    private static final int PART = 16;

    private final Link link;
    private final RailTable rails;
    private boolean blocked;

    /** The lane that is looked at first. */
    private int turn;

    RailSpreader(Link link, RailTable rails) {
        this.link = link;
        this.rails = rails;
    }

    /** Whether this side's requests bring bytes of a transfer where they belong, so that rails can do so, too. */
    boolean serves(Transfer transfer) {
        return transfer.opcode == EntryCode.PUT || link.protocol().reads();
    }

    /** Whether a transfer is worth to be spread, and may be: what is fenced stays in order. */
    boolean spreads(Transfer transfer) {
        return rails.count() > 0
                && transfer.length >= link.limits.pieceBytes() / PART
                && !transfer.has(EntryCode.FENCE)
                && serves(transfer);
    }

    /**
     * The lane for a piece: the one with the least under way of those that can take it, in turn.
     *
     * @param first the connection's first queue pair, or null where it can't take it
     * @return null where none can
     */
    Lane choose(Lane first, Transfer transfer, int piece) {
        blocked = false;
        Lane found = null;
        int at = 0;
        for (int i = 0; i < rails.size(); i++) {
            int rail = (turn + i) % rails.size();
            Lane lane = rail == 0 ? first : candidate(rail, transfer, piece);
            if (lane != null && (found == null || lane.underWay() < found.underWay())) {
                found = lane;
                at = rail;
            }
        }
        turn = at + 1;
        return found;
    }

    /** The queue pair of a rail if it can take a piece, or null. */
    private Lane candidate(int rail, Transfer transfer, int piece) {
        RailLane lane = rails.lane(rail);
        if (lane == null
                || !transfer.railKeys().has(rail, rails.version())
                || lane.posted.room() == 0
                || !link.fits(lane, piece)) {
            return null;
        }
        boolean room = lane.load().hasRoom(piece);
        blocked |= !room;
        return room ? lane : null;
    }

    /** Whether {@link #choose} has found a rail whose device has too much to do for other connections. */
    boolean isBlocked() {
        return blocked;
    }
}
