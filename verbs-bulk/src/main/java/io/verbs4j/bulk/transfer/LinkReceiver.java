/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.Errno;
import io.verbs4j.bulk.control.ControlKind;
import io.verbs4j.bulk.control.ControlLayout;
import io.verbs4j.bulk.recovery.Snapshot;
import java.nio.ByteBuffer;
import java.util.BitSet;

/** Handles the messages of a connection and posts their slots again. A protocol violation ends the connection. */
final class LinkReceiver {
    private final Link link;
    private ByteBuffer bytes;
    private RingReader ring;

    private final Notifications notifications;
    private final WindowMessages windows;
    private int receives;
    private long sequence;

    /** Messages and immediate values received in total. */
    private int delivered;

    /** Slots that are still needed. */
    private final boolean[] busy;

    LinkReceiver(Link link) {
        this.link = link;
        bytes = link.slots.received();
        busy = new boolean[link.limits.slots()];
        notifications = new Notifications(link);
        windows = new WindowMessages(link);
    }

    /** Counts a posted receive. */
    void posted() {
        receives++;
    }

    /** Returns the state when the queue pair is closed. */
    Snapshot snapshot() {
        BitSet free = new BitSet();
        for (int i = 0; i < busy.length; i++) {
            free.set(i, !busy[i]);
        }
        return new Snapshot(delivered, free);
    }

    /** Takes over a queue pair with receives for the slots that were free; posts those freed since. */
    void adopt(Snapshot snapshot) {
        receives = 0;
        for (int i = 0; ring == null && i < busy.length; i++) {
            if (snapshot.isFree(i)) {
                receives++;
            } else if (!busy[i]) {
                postReceive(i);
            }
        }
    }

    private void postReceive(int slot) {
        int errno = link.posts().receive(link.slots.receive(slot));
        if (errno == 0) {
            receives++;
        } else {
            link.refused(errno);
        }
    }

    /** Whether no receive is posted. */
    boolean isEmpty() {
        return receives == 0;
    }

    /** Starts to read messages that the peer writes. */
    void startRing() {
        ring = new RingReader(link);
        bytes = link.slots.received();
    }

    /** Takes messages that the peer has written. Returns whether there were any. */
    boolean pollRing() {
        return ring != null && link.recovery().mayReceive() && ring.poll();
    }

    /** Posts a slot again. */
    void post(int slot) {
        busy[slot] = false;
        if (ring != null) {
            ring.give(slot);
        } else if (link.recovery().takesReceives()) {
            postReceive(slot);
        }
        link.sender.receiveCredits().posted();
        if (link.sender.receiveCredits().owesSlots()) {
            link.activate();
        }
    }

    /** Releases the slot of an EAGER message after its bytes were taken. */
    void eagerTaken(int slot) {
        link.sender.receiveCredits().eagerTaken();
        post(slot);
        if (link.sender.receiveCredits().owesEager()) {
            link.activate();
        }
    }

    void received(int slot, int status, boolean told, int immediate, int length) {
        receives--;
        if (status != 0) {
            link.recovery().broken();
            link.lose(Errno.ECONNRESET);
            return;
        }
        link.recovery().completed();
        if (told) {
            busy[slot] = true;
            if (count()) {
                notifications.add(slot, immediate & 0xffff_ffffL);
            }
            return;
        }
        arrived(slot, length);
    }

    /** Handles a message in a slot. */
    void arrived(int slot, int length) {
        int at = link.slots.slot(slot);
        busy[slot] = true;
        if (length < ControlLayout.SIZE
                || bytes.getLong(at + ControlLayout.SEQUENCE) != sequence
                || bytes.getInt(at + ControlLayout.EPOCH) != link.recovery().epoch()) {
            link.fail(Errno.EPROTO);
            return;
        }
        sequence++;
        if (!count()) {
            return;
        }
        link.sender.told(bytes.getInt(at + ControlLayout.CREDITS), bytes.getInt(at + ControlLayout.EAGER_TAKEN));
        link.activate();
        take(slot, at, length - ControlLayout.SIZE);
    }

    /** Counts an arrival. Returns false if the peer had no credit for it; answers could otherwise fill the memory. */
    private boolean count() {
        delivered++;
        boolean right = !link.sender.receiveCredits().areExceededBy(delivered);
        if (!right) {
            link.fail(Errno.EPROTO);
        }
        return right;
    }

    private void take(int slot, int at, int length) {
        int kind = bytes.get(at + ControlLayout.KIND);
        long id = bytes.getLong(at + ControlLayout.ID);
        long a = bytes.getLong(at + ControlLayout.A);
        int stream = bytes.getShort(at + ControlLayout.STREAM) & 0xffff;
        boolean right = true;
        switch (kind) {
            case ControlKind.EAGER -> {
                if (a != length || !link.matcher.eager(slot, bytes, at, stream)) {
                    link.fail(Errno.EPROTO);
                }
                return; // posts its slot after the bytes were taken
            }
            case ControlKind.NOTIFY -> {
                notifications.add(slot, a);
                return;
            }
            case ControlKind.RTS -> right = a >= 0 && link.matcher.announced(bytes, at, stream);
            case ControlKind.FIN -> finish(id, a);
            case ControlKind.WITHDRAW -> {
                link.matcher.withdraw(id);
                link.answerer.withdraw(id);
            }
            case ControlKind.LOOKUP -> windows.tell(id);
            case ControlKind.WINDOW -> windows.learn(id, a, bytes, at);
            case ControlKind.REVOKE -> windows.revoke(id);
            case ControlKind.REVOKED -> {
                right = !link.answerer.uses(id);
                link.transfers.windows.revoked(id, link.id());
            }
            case ControlKind.ASK_PUT -> right = ask(id, a, at);
            case ControlKind.RTR -> right = grant(id, a, at);
            case ControlKind.DONE -> right = link.asker.done(id, a, bytes.getLong(at + ControlLayout.B));
            case ControlKind.LOCATE -> link.addresses.locate(id, a);
            case ControlKind.LOCATED -> right = link.addresses.located(id, bytes, at);
            case ControlKind.CREDIT -> {
                // the header carries everything
            }
            case ControlKind.BYE -> link.peerLeft();
            case ControlKind.RAIL_OFFER, ControlKind.RAIL_ANSWER, ControlKind.RAIL_READY, ControlKind.RAIL_CLOSED ->
                right = link.rails.setup().take(kind, bytes, at);
            case ControlKind.ASK_KEYS, ControlKind.KEYS -> {
                right = link.rails.setup().isAgreed();
                if (kind == ControlKind.KEYS) {
                    link.rails.memory().learn(id, bytes, at);
                } else {
                    link.rails.memory().answer(id);
                }
            }
            default -> right = false;
        }
        if (right) {
            post(slot);
        } else {
            link.fail(Errno.EPROTO);
        }
    }

    /** Ends a message that the peer has read or refused. */
    private void finish(long id, long result) {
        Transfer transfer = link.transfers.pool.find(id);
        if (transfer == null || transfer.list != link.announced) {
            return;
        }
        if (result >= 0) {
            transfer.error = 0;
            transfer.done = transfer.length;
            link.transfers.completer.succeed(transfer);
        } else {
            link.transfers.completer.failAtPeer(transfer, result);
        }
    }

    private boolean ask(long id, long window, int at) {
        return link.answerer.ask(
                id,
                window,
                bytes.getLong(at + ControlLayout.B),
                bytes.getInt(at + ControlLayout.RIGHTS),
                bytes.getInt(at + ControlLayout.KEY),
                bytes.getLong(at + ControlLayout.VALUE));
    }

    private boolean grant(long id, long receive, int at) {
        return link.answerer.grant(
                id, receive, bytes.getInt(at + ControlLayout.KEY), bytes.getLong(at + ControlLayout.B));
    }

    Notifications notifications() {
        return notifications;
    }

    WindowMessages windows() {
        return windows;
    }
}
