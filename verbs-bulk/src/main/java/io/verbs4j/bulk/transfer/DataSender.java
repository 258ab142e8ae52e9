/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.Errno;
import io.verbs4j.SendFlags;
import io.verbs4j.bulk.control.SendCredits;
import io.verbs4j.bulk.memory.RemoteWindow;
import io.verbs4j.bulk.ring.EntryCode;

/** Posts the pieces of transfers, one transfer after the other, and the messages with FENCE among them. */
final class DataSender {
    /** Places of the send queue that bytes leave to messages. */
    private static final int MESSAGE_ROOM = 4;

    private final Link link;
    private final LinkSender sender;
    private final SendCredits credits;
    private boolean more;

    DataSender(Link link, LinkSender sender, SendCredits credits) {
        this.link = link;
        this.sender = sender;
        this.credits = credits;
    }

    /** Whether more could be posted, with a larger budget or by a device with less to do. */
    boolean wantsMore() {
        return more;
    }

    /** Posts what may be posted, at most {@code budget} bytes; returns how many. */
    long send(long budget) {
        more = false;
        long sent = 0;
        for (Transfer transfer = link.data.first(); transfer != null; transfer = link.data.first()) {
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
            int piece = transfer.nextPiece(link.limits.pieceBytes());
            if (!hasRoom(piece) || !postPiece(transfer, piece, budget - sent)) {
                return sent;
            }
            sent += piece;
        }
        return sent;
    }

    /** Looks whether a transfer may use its window; ends it where not. */
    private boolean check(Transfer transfer) {
        RemoteWindow window = transfer.window;
        if (!window.isKnown()) {
            return false;
        }
        int right = transfer.opcode == EntryCode.PUT ? RemoteWindow.WRITE : RemoteWindow.READ;
        int errno = 0;
        if (window.isRevoked()) {
            errno = Errno.ESTALE;
        } else if (window.error() != 0) {
            errno = window.error();
        } else if (!window.allows(right)) {
            errno = Errno.EACCES;
        } else if (!window.contains(transfer.remoteOffset, transfer.length)) {
            errno = Errno.ERANGE;
        }
        if (errno != 0) {
            link.stop(transfer, errno);
            link.receiver.giveWindowsBack();
            return false;
        }
        transfer.remoteAddress = window.address() + transfer.remoteOffset;
        transfer.remoteKey = window.key();
        return true;
    }

    private boolean hasRoom(int piece) {
        long underWay = sender.bytesUnderWay();
        if (underWay > 0 && underWay + piece > link.limits.peerWindow() || link.posted.room() <= MESSAGE_ROOM) {
            return false; // a completion of this connection goes on
        }
        more = !link.load.hasRoom(piece); // a completion of another connection goes on
        return !more;
    }

    private boolean postPiece(Transfer transfer, int piece, long budget) {
        if (piece > budget) {
            more = true;
            return false;
        }
        boolean last = transfer.posted + piece == transfer.length;
        boolean tells = transfer.opcode == EntryCode.PUT && transfer.has(EntryCode.NOTIFY) && last;
        boolean immediate = tells && transfer.value >>> Integer.SIZE == 0;
        if (immediate && !credits.may()) {
            return false;
        }
        if ((piece > 0 || immediate) && !post(transfer, piece, immediate)) {
            return false;
        }
        if (last) {
            sender.fly(transfer);
            if (tells && !immediate) {
                sender.tell(transfer);
            } else if (transfer.isIdle()) {
                link.idle(transfer);
            }
        }
        return true;
    }

    private boolean post(Transfer transfer, int piece, boolean immediate) {
        long wrId = link.wrId(link.posted.next());
        boolean fenced = transfer.has(EntryCode.FENCE) && transfer.posted == 0;
        int flags = SendFlags.SIGNALED | (fenced ? SendFlags.FENCE : 0);
        int device = link.load.device();
        int lkey = transfer.memory.lkey(device);
        long local = transfer.localAddress(device) + transfer.posted;
        long remote = transfer.remoteAddress + transfer.posted;
        int errno;
        if (immediate) {
            errno = link.posts()
                    .writeAndTell(wrId, flags, lkey, local, piece, transfer.remoteKey, remote, (int) transfer.value);
        } else if (transfer.opcode == EntryCode.PUT) {
            errno = link.posts().write(wrId, flags, lkey, local, piece, transfer.remoteKey, remote);
        } else {
            errno = link.posts().read(wrId, flags, lkey, local, piece, transfer.remoteKey, remote);
        }
        if (errno != 0) {
            link.fail(Errno.EIO);
            return false;
        }
        if (immediate) {
            credits.sent();
        }
        sender.posted(transfer, piece);
        return true;
    }
}
