/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.bulk.ring.EntryCode;

/** Spreads the pieces of long transfers over the queue pairs of a connection. */
final class RailSpreader {
    /** Transfers shorter than this fraction of a piece stay on the first queue pair. */
    private static final int PART = 16;

    private final Link link;
    private final RailTable rails;
    private boolean blocked;

    /** The lane that is considered first. */
    private int turn;

    RailSpreader(Link link, RailTable rails) {
        this.link = link;
        this.rails = rails;
    }

    /** Whether requests of this side move a transfer's bytes, so that rails can carry them. */
    boolean serves(Transfer transfer) {
        return transfer.opcode == EntryCode.PUT || link.protocol().reads();
    }

    /** Whether to spread a transfer: it must be long enough, and not fenced, which requires order. */
    boolean spreads(Transfer transfer) {
        return rails.count() > 0
                && transfer.length >= link.limits.pieceBytes() / PART
                && !transfer.has(EntryCode.FENCE)
                && serves(transfer);
    }

    /**
     * Returns the lane for a piece: among those with room, the one with the fewest bytes in flight, in turn.
     *
     * @param first the connection's own queue pair, or null if it has no room
     * @return the lane, or null if none has room
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

    /** Returns the queue pair of a rail if it has room for a piece, or null. */
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

    /** Whether {@link #choose} has found a rail whose device is too busy with other connections. */
    boolean isBlocked() {
        return blocked;
    }
}
