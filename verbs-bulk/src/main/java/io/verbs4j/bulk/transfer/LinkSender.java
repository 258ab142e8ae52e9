/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.SendFlags;
import io.verbs4j.bulk.control.ControlKind;
import io.verbs4j.bulk.control.ControlLayout;
import io.verbs4j.bulk.control.ReceiveCredits;
import io.verbs4j.bulk.control.SendCredits;
import io.verbs4j.bulk.ring.EntryCode;

/** Posts a connection's pending sends, as far as credits and limits allow: messages first, then bytes. */
final class LinkSender {
    private final Link link;
    private final SendCredits credits = new SendCredits();
    private final ReceiveCredits receiveCredits;
    private final MessagePoster poster;
    private final DataSender data;
    private int peerSlots;
    private int eagerBytes;
    private int fencedMessages;

    /** Requests in flight at the last loss that are not all posted again, or null. */
    private Replay replay;

    LinkSender(Link link) {
        this.link = link;
        receiveCredits = new ReceiveCredits(link.limits.slots());
        poster = new MessagePoster(link, credits, receiveCredits);
        data = new DataSender(link, this, credits);
    }

    /** Starts with the peer's number of slots, and the slot size that both sides support. */
    void start(int slots, int slotBytes) {
        peerSlots = slots;
        eagerBytes = slotBytes - ControlLayout.SIZE;
        credits.start(slots);
    }

    ReceiveCredits receiveCredits() {
        return receiveCredits;
    }

    /** Updates the totals that the peer has sent. */
    void told(int granted, int eagerTaken) {
        if (!link.state().isConnecting()) {
            credits.told(granted, eagerTaken, peerSlots);
        }
    }

    /** Total of the peer's receives that were used. */
    int receivesTaken() {
        return credits.total();
    }

    /** Number of the next message. */
    long sequence() {
        return poster.sequence();
    }

    /** Takes back the count of a request that has not reached the peer. */
    void unsent(boolean eager, boolean numbered) {
        credits.unsent(eager);
        if (numbered) {
            poster.unsent();
        }
    }

    /** Posts a message again. Returns whether it was posted. */
    boolean repost(byte[] header, Transfer transfer, int bytes, int kind) {
        int at = link.slots.header(link.posted.next());
        link.slots.bytes().put(at, header);
        link.addresses.refresh(at);
        boolean eager = (kind & ~PostedQueue.FENCED) == PostedQueue.EAGER;
        int fence = (kind & PostedQueue.FENCED) != 0 ? SendFlags.FENCE : 0;
        if (!poster.postHeader(at, fence | SendFlags.SIGNALED, eager ? transfer : null)) {
            return false;
        }
        link.posted.posted(transfer, 0, bytes, kind, true);
        if (eager) {
            credits.sentEager();
        }
        return true;
    }

    /** Posts a piece of a transfer again. Returns whether it was posted. */
    boolean repost(Transfer transfer, long offset, int bytes, int kind) {
        return data.repost(transfer, offset, bytes, kind);
    }

    boolean wantsMore() {
        return data.wantsMore();
    }

    /** Queues a message. Keeps it in order with the bytes before it if it, or an earlier queued message, has FENCE. */
    void queueMessage(Transfer transfer) {
        if (transfer.has(EntryCode.FENCE) || fencedMessages > 0) {
            fencedMessages++;
            link.data.add(transfer);
        } else {
            link.sends.add(transfer);
        }
    }

    /** Updates the counts when a transfer leaves its queue. */
    void dequeued(Transfer transfer) {
        if (transfer.isMessage() && transfer.list == link.data) {
            fencedMessages--;
        }
    }

    /** Posts as much as allowed, at most {@code budget} bytes of data; returns the number of bytes. */
    long send(long budget) {
        if (link.state().isClosing()) {
            sendBye();
            return 0;
        }
        if (!link.state().isUp()) {
            return 0;
        }
        if (replay != null && !advanceReplay()) {
            link.addresses.send(this);
            sendCredits();
            return 0;
        }
        sendMessages();
        long sent = data.send(budget);
        sendMessages(); // notifications of posted transfers
        sendCredits();
        return sent;
    }

    /** Sets the requests that a new queue pair gets first. */
    void replay(Replay value) {
        replay = value;
    }

    /** The requests that still have to be posted again, or null. */
    Replay replay() {
        return replay;
    }

    /** Continues to post requests again. Returns whether all are posted. */
    boolean advanceReplay() {
        boolean done = replay.advance();
        if (done) {
            replay = null;
        }
        return done;
    }

    private void sendBye() {
        if (!link.state().isByeSent() && credits.mayUrgently() && link.posted.room() > 0) {
            link.messages.clear();
            if (poster.post(ControlKind.BYE, 0, 0, 0, 0, 0, 0)) {
                link.state().byeSent();
            }
        }
    }

    /**
     * Grants credits that no other message has granted. Queued messages can't, because they wait for credits
     * themselves.
     */
    private void sendCredits() {
        boolean slots = receiveCredits.owesSlots() && credits.mayUrgently();
        boolean eager = receiveCredits.owesEager() && credits.may();
        if ((slots || eager) && link.posted.room() > 0) {
            // on failure the connection has failed
            boolean unused = poster.post(ControlKind.CREDIT, 0, 0, 0, 0, 0, 0);
        }
    }

    private void sendMessages() {
        link.addresses.send(this);
        while (!link.messages.isEmpty() && mayMessage()) {
            if (!poster.postQueued(link.messages)) {
                return;
            }
        }
        link.asker.sendFetches();
        Transfer transfer = link.sends.first();
        while (transfer != null && sendProgramMessage(transfer, 0)) {
            transfer = link.sends.first();
        }
    }

    /** Whether a message that others wait for may be sent, such that {@code left} credits remain. */
    boolean mayUrgently(int left) {
        return credits.left() > left && link.posted.room() > 0;
    }

    /** Posts the oldest message of a queue, which may be sent. */
    boolean postQueued(MessageQueue queue) {
        return poster.postQueued(queue);
    }

    /** Whether a message may be sent. */
    boolean mayMessage() {
        return poster.may();
    }

    /** Sends a message that may be sent. Returns whether it was posted. */
    boolean post(int kind, long id, long a, long b, int key, int rights, long value) {
        return poster.post(kind, id, a, b, key, rights, value);
    }

    /** Sends a message of the program, with its bytes or as an announcement. Returns whether it was posted. */
    boolean sendProgramMessage(Transfer transfer, int fence) {
        boolean eager = transfer.length <= eagerBytes && credits.mayEager();
        if (!mayMessage() || !eager && link.announced.size() >= Limits.ANNOUNCED) {
            return false;
        }
        if (!eager && !transfer.keysTold && link.rails.spreader().spreads(transfer)) {
            transfer.keysTold = link.rails.memory().tell(transfer);
            if (!transfer.keysTold || !mayMessage()) {
                return false;
            }
        }
        if (!poster.postProgram(transfer, eager, link.protocol().reads() ? fence : 0)) {
            return false;
        }
        dequeued(transfer);
        int fenced = fence != 0 ? PostedQueue.FENCED : 0;
        if (eager) {
            credits.sentEager();
            posted(link.first, transfer, (int) transfer.length, PostedQueue.EAGER | fenced);
            fly(transfer);
        } else {
            link.posted.posted(null, 0, 0, PostedQueue.MESSAGE | fenced, true);
            transfer.phase = Transfer.Phase.ANNOUNCED;
            link.announced.add(transfer);
        }
        return true;
    }

    /** Records that the next bytes of a transfer were posted to a lane by a request of this kind. */
    void posted(Lane lane, Transfer transfer, int bytes, int kind) {
        lane.posted(transfer, transfer.posted, bytes, kind);
        transfer.piecePosted(bytes);
    }

    void fly(Transfer transfer) {
        transfer.phase = Transfer.Phase.FLYING;
        link.flying.add(transfer);
    }

    /** Sends the peer the value of a transfer, which ends when the peer's device has it. */
    void tell(Transfer transfer) {
        transfer.notified = true;
        transfer.outstanding++;
        link.messages.add(ControlKind.NOTIFY, 0, transfer.value, 0, 0, 0, transfer);
        link.activate();
    }
}
