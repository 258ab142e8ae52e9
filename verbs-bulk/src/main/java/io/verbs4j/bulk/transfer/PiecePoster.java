/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.SendFlags;
import io.verbs4j.bulk.control.SendCredits;
import io.verbs4j.bulk.ring.EntryCode;

/** Posts a piece of a transfer, and after the last one its notification or DONE. */
final class PiecePoster {
    private final Link link;
    private final LinkSender sender;
    private final SendCredits credits;

    PiecePoster(Link link, LinkSender sender, SendCredits credits) {
        this.link = link;
        this.sender = sender;
        this.credits = credits;
    }

    /** Posts the next piece. Returns whether it was posted; after the last one the transfer has left its list. */
    boolean post(Lane lane, Transfer transfer, int piece) {
        boolean last = transfer.posted + piece == transfer.length;
        transfer.spread |= lane != link.first;
        boolean tells = transfer.opcode == EntryCode.PUT && transfer.has(EntryCode.NOTIFY) && last && !transfer.spread;
        boolean immediate =
                tells && transfer.value >>> Integer.SIZE == 0 && link.protocol().immediates();
        if (immediate && !credits.may()) {
            return false;
        }
        if ((piece > 0 || immediate) && !postRequest(lane, transfer, piece, immediate)) {
            return false;
        }
        if (!last) {
            return true;
        }
        if (link.answerer.has(transfer)) {
            link.answerer.posted(transfer);
            return true;
        }
        sender.fly(transfer);
        if (tells && !immediate) {
            sender.tell(transfer);
        } else if (transfer.isIdle()) {
            link.idle(transfer);
        }
        return true;
    }

    private boolean postRequest(Lane lane, Transfer transfer, int piece, boolean immediate) {
        boolean fenced = transfer.has(EntryCode.FENCE)
                && transfer.posted == 0
                && (link.protocol().reads() || link.protocol().datagrams());
        int kind = (immediate ? PostedQueue.TELLING : PostedQueue.PIECE) | (fenced ? PostedQueue.FENCED : 0);
        if (!postRequest(lane, transfer, transfer.posted, piece, kind)) {
            return false;
        }
        sender.posted(lane, transfer, piece, kind);
        return true;
    }

    /** Posts a piece again that was posted to another queue pair. Returns whether it was posted. */
    boolean repost(Transfer transfer, long offset, int piece, int kind) {
        boolean posted = postRequest(link.first, transfer, offset, piece, kind);
        if (posted) {
            link.posted.posted(transfer, offset, piece, kind, true);
        }
        return posted;
    }

    /** Posts a piece again that was in flight on a lost rail. Returns whether it was posted. */
    boolean repost(Lane lane, Transfer transfer, long offset, int piece) {
        if (!postRequest(lane, transfer, offset, piece, PostedQueue.PIECE)) {
            return false;
        }
        lane.posted(transfer, offset, piece, PostedQueue.PIECE);
        return true;
    }

    private boolean postRequest(Lane lane, Transfer transfer, long offset, int piece, int kind) {
        long wrId = lane.nextWrId();
        int flags = SendFlags.SIGNALED | ((kind & PostedQueue.FENCED) != 0 ? SendFlags.FENCE : 0);
        boolean immediate = PostedQueue.takesReceive(kind);
        int device = lane.load().device();
        int rkey = lane.remoteKey(transfer);
        int lkey = transfer.memory.lkey(device);
        long local = transfer.localAddress(device) + offset;
        long remote = transfer.remoteAddress + offset;
        int errno;
        if (immediate) {
            errno = lane.posts().writeAndTell(wrId, flags, lkey, local, piece, rkey, remote, (int) transfer.value);
        } else if (transfer.isRead()) {
            errno = lane.posts().read(wrId, flags, lkey, local, piece, rkey, remote);
        } else {
            errno = lane.posts().write(wrId, flags, lkey, local, piece, rkey, remote);
        }
        if (errno != 0) {
            link.refused(errno);
            return false;
        }
        if (immediate) {
            credits.sent();
        }
        transfer.copied |= piece > 0
                && transfer.opcode == EntryCode.PUT
                && !link.protocol().writes();
        return true;
    }
}
