/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.Errno;
import io.verbs4j.bulk.control.ControlKind;
import io.verbs4j.bulk.control.ControlLayout;
import io.verbs4j.bulk.memory.LocalWindow;
import io.verbs4j.bulk.memory.RemoteWindow;
import io.verbs4j.bulk.memory.WindowWriter;
import io.verbs4j.bulk.ring.EntryCode;
import java.nio.ByteBuffer;

/**
 * The addresses and keys that the two sides of a connection have exchanged. They belong to a device. When a side moves
 * to another device, the other side asks again before it uses them, and messages that still wait or are repeated get
 * the new ones.
 */
final class Addresses {
    private final Link link;

    /** Null until one of the sides has moved; most connections never do. */
    private MessageQueue questions;

    private MessageQueue answers;

    /** Number of times that the peer has moved to another device. */
    private int moves;

    /** Number of questions that the peer has not answered. */
    private int asked;

    /** How many of them ask for memory of a transfer. */
    private int locating;

    /** Whether this side has moved to another device at least once. */
    private boolean moved;

    Addresses(Link link) {
        this.link = link;
    }

    /** Number of times that the peer has moved to another device; earlier addresses are no longer valid. */
    int moves() {
        return moves;
    }

    /** Records that the peer has moved to another device. */
    void peerMoved() {
        moves++;
        questions();
        for (RemoteWindow window : link.windows.all()) {
            if (window.isUsed()) {
                use(window);
            }
        }
    }

    /** Asks for a window again if a transfer needs it and its address is no longer valid. */
    void use(RemoteWindow window) {
        if (window.isKnown() && window.learned() != moves && window.forget()) {
            asked++;
            questions().add(ControlKind.LOOKUP, window.id(), 0, 0, 0, 0, null);
            link.activate();
        }
    }

    /**
     * Sets the address of a transfer's bytes in its window, which the peer has described.
     *
     * @param begun whether some of its bytes were posted before; it then continues even if the peer revokes the window
     * @return 0 or the errno that forbids the transfer
     */
    int learn(Transfer transfer, boolean begun) {
        RemoteWindow window = transfer.window;
        int right = transfer.opcode == EntryCode.PUT ? RemoteWindow.WRITE : RemoteWindow.READ;
        if (window.isRevoked() && !begun) {
            return Errno.ESTALE;
        } else if (window.error() != 0) {
            return window.error();
        } else if (!window.allows(right)) {
            return Errno.EACCES;
        } else if (!window.contains(transfer.remoteOffset, transfer.length)) {
            return Errno.ERANGE;
        }
        boolean byDatagrams =
                transfer.opcode == EntryCode.PUT && !link.protocol().writes();
        long address = byDatagrams ? WindowWriter.address(window.id()) : window.address();
        transfer.remoteAddress = address + transfer.remoteOffset;
        transfer.remoteKey = byDatagrams ? WindowWriter.key(window.id()) : window.key();
        transfer.learned = moves;
        return 0;
    }

    /** Whether the address of a transfer's bytes at the peer is still valid. */
    boolean isValid(Transfer transfer) {
        boolean needed =
                transfer.length > 0 && (transfer.isRead() || link.protocol().writes());
        return transfer.learned == moves || !needed;
    }

    /** Does the same for a transfer without a window; asks the peer if the address is not valid. */
    boolean isKnown(Transfer transfer) {
        if (isValid(transfer)) {
            return true;
        }
        if (transfer.locating == null) {
            transfer.locating = link;
            locating++;
            asked++;
            questions().add(ControlKind.LOCATE, transfer.remoteTransfer, transfer.id(), 0, 0, 0, null);
            link.activate();
        }
        return false;
    }

    /** Whether the peer owes an answer. */
    boolean waits() {
        return asked > 0;
    }

    /** Records that the peer has described a window. */
    void answered(RemoteWindow window) {
        if (window.learned(moves)) {
            asked--;
        }
    }

    /**
     * Answers the peer's question about the memory of a transfer. If the transfer has ended, so has the peer's, and the
     * peer will learn that soon.
     */
    void locate(long id, long asker) {
        Transfer transfer = link.transfers.pool.find(id);
        boolean known = transfer != null && (isRead(transfer) || link.asker.hasAsked(transfer));
        long address = known ? address(transfer) : 0;
        answers().add(ControlKind.LOCATED, asker, id, address, known ? key(transfer) : 0, known ? 0 : 1, null);
        link.activate();
    }

    /** Whether the transfer is a message that the peer reads. */
    private boolean isRead(Transfer transfer) {
        return transfer.list == link.announced && link.protocol().reads();
    }

    private long address(Transfer transfer) {
        return transfer.list == link.announced
                ? transfer.localAddress(link.load.device())
                : link.landings().address(transfer);
    }

    private int key(Transfer transfer) {
        return transfer.list == link.announced
                ? transfer.memory.rkey(link.load.device())
                : link.landings().key(transfer);
    }

    /**
     * Records the peer's answer.
     *
     * @return false if the peer violates the protocol
     */
    boolean located(long id, ByteBuffer bytes, int at) {
        if (locating == 0) {
            return false;
        }
        locating--;
        asked--;
        Transfer transfer = link.transfers.pool.findAny(id);
        if (transfer == null || transfer.locating != link) {
            return true; // it has ended meanwhile
        }
        transfer.locating = null;
        if (bytes.getInt(at + ControlLayout.RIGHTS) != 0) {
            return transfer.error != 0;
        }
        transfer.remoteAddress = bytes.getLong(at + ControlLayout.B);
        transfer.remoteKey = bytes.getInt(at + ControlLayout.KEY);
        transfer.learned = moves;
        return true;
    }

    /** Records that this side has moved to another device. */
    void moved() {
        moved = true;
        if (answers == null) {
            answers = new MessageQueue();
        }
    }

    private MessageQueue questions() {
        if (questions == null) {
            questions = new MessageQueue();
        }
        return questions;
    }

    /** The queue for answers to the peer's questions. After a move, they must not wait behind other messages. */
    MessageQueue answers() {
        return moved ? answers : link.messages;
    }

    /** Returns the window that a peer asks for, or null. A peer that knew it may ask again even while it is revoked. */
    LocalWindow lookUp(long id) {
        LocalWindow window = link.transfers.windows.lookUp(id, link.id());
        return window == null && moved ? link.transfers.windows.find(id, link.id()) : window;
    }

    /** Puts current addresses into a message, which may have waited since before this side moved to another device. */
    void refresh(int at) {
        if (!moved) {
            return;
        }
        ByteBuffer bytes = link.slots.bytes();
        int kind = bytes.get(at + ControlLayout.KIND);
        if (kind == ControlKind.WINDOW) {
            refreshWindow(bytes, at);
        } else if (kind == ControlKind.RTS || kind == ControlKind.ASK_PUT) {
            refresh(bytes, at, ControlLayout.ID, kind == ControlKind.RTS ? ControlLayout.B : ControlLayout.VALUE);
        } else if (kind == ControlKind.RTR || kind == ControlKind.LOCATED) {
            refresh(bytes, at, ControlLayout.A, ControlLayout.B);
        }
    }

    private void refreshWindow(ByteBuffer bytes, int at) {
        if (bytes.getLong(at + ControlLayout.A) < 0) {
            return;
        }
        LocalWindow window = link.transfers.windows.find(bytes.getLong(at + ControlLayout.ID), link.id());
        if (window == null) {
            bytes.putLong(at + ControlLayout.A, -Errno.ESTALE);
            return;
        }
        bytes.putLong(at + ControlLayout.B, window.address(link.load.device()));
        bytes.putInt(at + ControlLayout.KEY, window.rkey(link.load.device()));
    }

    /** Refreshes a message that has the id of a transfer of this side in one field and its address in another. */
    private void refresh(ByteBuffer bytes, int at, int idField, int addressField) {
        Transfer transfer = link.transfers.pool.find(bytes.getLong(at + idField));
        if (transfer != null && (isRead(transfer) || link.asker.hasAsked(transfer))) {
            bytes.putLong(at + addressField, address(transfer));
            bytes.putInt(at + ControlLayout.KEY, key(transfer));
        }
    }

    /** Posts answers, then questions, as far as credits allow; questions leave some credits for answers. */
    void send(LinkSender sender) {
        while (answers != null && !answers.isEmpty() && sender.mayUrgently(0)) {
            if (!sender.postQueued(answers)) {
                return;
            }
        }
        while (questions != null && !questions.isEmpty() && sender.mayUrgently(1)) {
            if (!sender.postQueued(questions)) {
                return;
            }
        }
    }
}
