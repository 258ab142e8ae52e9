/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.SendFlags;
import io.verbs4j.bulk.control.SendCredits;
import io.verbs4j.bulk.ring.EntryCode;

/** Posts the pieces of transfers, one transfer after the other, in order with the messages that have FENCE. */
final class DataSender {
    /** Send queue entries that data leaves to messages. */
    private static final int MESSAGE_ROOM = 4;

    private final Link link;
    private final LinkSender sender;
    private final PiecePoster pieces;
    private boolean more;
    private boolean answersFirst;

    DataSender(Link link, LinkSender sender, SendCredits credits) {
        this.link = link;
        this.sender = sender;
        pieces = new PiecePoster(link, sender, credits);
    }

    /** Whether more could be posted with a larger budget, or by a less busy device. */
    boolean wantsMore() {
        return more;
    }

    /** Posts a piece again. Returns whether it was posted. */
    boolean repost(Transfer transfer, long offset, int bytes, int kind) {
        return pieces.repost(transfer, offset, bytes, kind);
    }

    /** Posts data as allowed, at most {@code budget} bytes; returns the number of bytes. */
    long send(long budget) {
        more = false;
        long returned = sendReturned(budget);
        long left = budget - returned;
        answersFirst = !answersFirst; // alternates between the peer's requests and the program's
        long sent = answersFirst ? sendAnswers(left) : sendOwn(left);
        return returned + sent + (answersFirst ? sendOwn(left - sent) : sendAnswers(left - sent));
    }

    /** Sends pieces that were in flight on a lost rail. */
    private long sendReturned(long budget) {
        ReturnedPieces returned = link.rails.returned();
        long sent = 0;
        while (!returned.isEmpty()) {
            Transfer transfer = returned.transfer();
            int piece = returned.bytes();
            boolean known = transfer.window == null ? link.addresses.isKnown(transfer) : transfer.window.isKnown();
            if (known && transfer.window != null && transfer.error == 0) {
                transfer.error = link.addresses.learn(transfer, true);
            }
            if (transfer.error != 0) {
                returned.remove();
                link.ends().complete(transfer, 0, 0);
                continue;
            }
            Lane lane = known ? lane(transfer, piece, budget - sent) : null;
            if (lane == null || !pieces.repost(lane, transfer, returned.offset(), piece)) {
                return sent;
            }
            transfer.replayed = true;
            returned.remove();
            sent += piece;
        }
        return sent;
    }

    /**
     * Sends the bytes that the peer has requested. They wait for nothing on this side; otherwise both sides could wait
     * for each other.
     */
    private long sendAnswers(long budget) {
        long sent = 0;
        for (Transfer answer = link.answerer.first(); answer != null; answer = link.answerer.first()) {
            if (!link.addresses.isKnown(answer)) {
                return sent; // the peer is asked
            }
            int piece = answer.nextPiece(link.limits.pieceBytes());
            if (!hasRoom(piece, budget - sent) || !pieces.post(link.first, answer, piece)) {
                return sent;
            }
            sent += piece;
        }
        return sent;
    }

    private long sendOwn(long budget) {
        long sent = 0;
        for (Transfer transfer = link.data.first(); transfer != null; transfer = link.data.first()) {
            if (transfer.has(EntryCode.FENCE)
                    && transfer.posted == 0
                    && (link.asker.waitsForGet() || link.rails.areBusy())) {
                return sent; // it may send the bytes that arrive
            }
            if (transfer.isMessage()) {
                if (!link.sends.isEmpty() || !sender.sendProgramMessage(transfer, SendFlags.FENCE)) {
                    return sent;
                }
                continue;
            }
            if (transfer.window != null && !check(transfer)) {
                if (link.data.first() == transfer) {
                    return sent; // the window is not known yet
                }
                continue;
            }
            if (transfer.window == null && !link.addresses.isKnown(transfer)) {
                return sent; // the peer is asked
            }
            if (transfer.opcode == EntryCode.GET
                    && transfer.length > 0
                    && !link.protocol().reads()) {
                if (!link.asker.ask(transfer)) {
                    return sent;
                }
                continue;
            }
            int piece = transfer.nextPiece(link.limits.pieceBytes());
            Lane lane = lane(transfer, piece, budget - sent);
            if (lane == null || !pieces.post(lane, transfer, piece)) {
                return sent;
            }
            sent += piece;
        }
        return sent;
    }

    /** Returns the lane for a piece, or null. */
    private Lane lane(Transfer transfer, int piece, long budget) {
        Lane lane = hasRoom(piece, budget) ? link.first : null;
        if (piece > budget || !link.rails.spreader().spreads(transfer)) {
            return lane;
        }
        Lane chosen = link.rails.spreader().choose(lane, transfer, piece);
        more |= chosen == null && link.rails.spreader().isBlocked();
        return chosen;
    }

    /** Checks whether a transfer may use its window; ends it if not. */
    private boolean check(Transfer transfer) {
        if (!transfer.window.isKnown()) {
            return false;
        }
        int errno = link.addresses.learn(transfer, transfer.posted > 0);
        if (errno != 0) {
            link.stop(transfer, errno);
            link.receiver.windows().giveWindowsBack();
            return false;
        }
        if (link.rails.spreader().serves(transfer)) {
            link.rails.memory().ask(transfer.window);
        }
        return true;
    }

    private boolean hasRoom(int piece, long budget) {
        if (!link.fits(link.first, piece) || link.posted.room() <= MESSAGE_ROOM) {
            return false; // resumes on a completion of this connection
        }
        if (!link.load.hasRoom(piece)
                || piece > budget) { // resumes on a completion of another connection, or in the next round
            more = true;
            return false;
        }
        return true;
    }
}
