/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.Errno;
import io.verbs4j.bulk.control.ControlKind;
import io.verbs4j.bulk.control.ControlLayout;
import io.verbs4j.bulk.memory.LocalWindow;
import io.verbs4j.bulk.memory.RemoteWindow;
import io.verbs4j.bulk.ring.EntryCode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Takes the messages of a connection, and posts their slots again. What breaks the rules ends the connection. */
final class LinkReceiver {
    private final Link link;
    private final ByteBuffer bytes;

    /** Values that the program has not been told, as its ring is full, and their slots. */
    private final long[] values;

    private final int[] valueSlots;
    private int firstValue;
    private int valueCount;

    private final List<RemoteWindow> revoked = new ArrayList<>();
    private int receives;
    private long sequence;

    LinkReceiver(Link link) {
        this.link = link;
        bytes = link.slots.bytes();
        values = new long[link.limits.slots()];
        valueSlots = new int[link.limits.slots()];
    }

    /** A receive was posted. */
    void posted() {
        receives++;
    }

    /** Whether no receive is posted. */
    boolean isEmpty() {
        return receives == 0;
    }

    private void post(int slot) {
        if (link.posts().receive(link.slots.receive(slot)) == 0) {
            receives++;
            link.sender.receiveCredits().posted();
            if (link.sender.receiveCredits().owesSlots()) {
                link.activate();
            }
        } else {
            link.fail(Errno.EIO);
        }
    }

    /** The bytes of an EAGER message were taken out of its slot. */
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
            link.fail(Errno.ECONNRESET);
            return;
        }
        if (told) {
            notified(slot, immediate & 0xffff_ffffL);
            return;
        }
        int at = link.slots.slot(slot);
        if (length < ControlLayout.SIZE || bytes.getLong(at + ControlLayout.SEQUENCE) != sequence) {
            link.fail(Errno.EPROTO);
            return;
        }
        sequence++;
        link.sender.told(bytes.getInt(at + ControlLayout.CREDITS), bytes.getInt(at + ControlLayout.EAGER_TAKEN));
        link.activate();
        take(slot, at, length - ControlLayout.SIZE);
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
                return; // its slot is posted when the bytes were taken
            }
            case ControlKind.NOTIFY -> {
                notified(slot, a);
                return;
            }
            case ControlKind.RTS -> right = a >= 0 && link.matcher.announced(bytes, at, stream);
            case ControlKind.FIN -> finish(id, a);
            case ControlKind.WITHDRAW -> {
                link.matcher.withdraw(id);
                link.answerer.withdraw(id);
            }
            case ControlKind.LOOKUP -> tellWindow(id);
            case ControlKind.WINDOW -> learnWindow(id, a, at);
            case ControlKind.REVOKE -> revoke(id);
            case ControlKind.REVOKED -> {
                right = !link.answerer.uses(id);
                link.transfers.windows.revoked(id, link.id());
            }
            case ControlKind.ASK_PUT -> right = ask(id, a, at);
            case ControlKind.RTR -> right = grant(id, a, at);
            case ControlKind.DONE -> right = link.asker.done(id, a, bytes.getLong(at + ControlLayout.B));
            case ControlKind.CREDIT -> {
                // its header says all
            }
            case ControlKind.BYE -> link.peerLeft();
            default -> right = false;
        }
        if (right) {
            post(slot);
        } else {
            link.fail(Errno.EPROTO);
        }
    }

    /** The peer has read a message, or has not. */
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
            int errno = transfer.error != 0 && result == -Errno.ECANCELED ? transfer.error : (int) -result;
            link.transfers.completer.fail(transfer, errno);
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

    private void tellWindow(long id) {
        LocalWindow window = link.transfers.windows.lookUp(id, link.id());
        int device = link.load.device();
        if (window == null) {
            link.message(ControlKind.WINDOW, id, -Errno.ESTALE);
        } else {
            link.messages.add(
                    ControlKind.WINDOW,
                    id,
                    window.length(),
                    window.address(device),
                    window.rkey(device),
                    window.rights(),
                    null);
        }
    }

    private void learnWindow(long id, long length, int at) {
        RemoteWindow window = link.windows.find(id);
        if (window != null && !window.isKnown()) {
            window.answer(
                    length,
                    bytes.getLong(at + ControlLayout.B),
                    bytes.getInt(at + ControlLayout.KEY),
                    bytes.getInt(at + ControlLayout.RIGHTS));
            if (length < 0) {
                revoked.add(window); // to be forgotten: there may be one of that name later
            }
        }
    }

    private void revoke(long id) {
        RemoteWindow window = link.windows.find(id);
        if (window == null) {
            link.message(ControlKind.REVOKED, id, 0);
        } else if (!window.isRevoked()) {
            window.revoke();
            revoked.add(window);
            giveWindowsBack();
        }
    }

    /** Forgets windows that the peer has taken back, and tells it so, when no transfer uses them. */
    void giveWindowsBack() {
        for (int i = revoked.size() - 1; i >= 0; i--) {
            RemoteWindow window = revoked.get(i);
            if (!window.isUsed()) {
                revoked.remove(i);
                boolean unused = link.windows.remove(window);
                if (window.isRevoked()) {
                    link.message(ControlKind.REVOKED, window.id(), 0);
                }
            }
        }
    }

    private void notified(int slot, long value) {
        int at = (firstValue + valueCount++) % values.length;
        values[at] = value;
        valueSlots[at] = slot;
        deliver();
    }

    /**
     * Tells the program of notifications, as long as its ring has room; a slot is posted again when its value was told.
     *
     * @return whether all were told
     */
    boolean deliver() {
        Submitter ring = link.transfers.notified();
        while (valueCount > 0 && ring != null && !ring.side().hasBacklog()) {
            post(deliverFirst(ring));
        }
        if (valueCount > 0) {
            link.transfers.hold(link);
        }
        return valueCount == 0;
    }

    private int deliverFirst(Submitter ring) {
        int slot = valueSlots[firstValue];
        ring.side().complete(0, 0, EntryCode.NOTIFY_ARRIVED, link.id(), values[firstValue]);
        firstValue = (firstValue + 1) % values.length;
        valueCount--;
        return slot;
    }

    /** Tells the program of all notifications: nothing comes any more. */
    void deliverLast() {
        Submitter ring = link.transfers.notified();
        while (valueCount > 0 && ring != null) {
            int unused = deliverFirst(ring);
        }
    }
}
