/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.SendFlags;
import io.verbs4j.bulk.control.ControlKind;
import io.verbs4j.bulk.control.ControlLayout;
import io.verbs4j.bulk.control.ReceiveCredits;
import io.verbs4j.bulk.control.SendCredits;
import io.verbs4j.bulk.ring.EntryCode;

/** Posts what a connection has to send, as far as credits and limits allow: messages, then bytes. */
final class LinkSender {
    private final Link link;
    private final SendCredits credits = new SendCredits();
    private final ReceiveCredits receiveCredits;
    private final MessagePoster poster;
    private final DataSender data;
    private int peerSlots;
    private int eagerBytes;
    private int fencedMessages;

    /** What was under way when the connection was lost and is not posted again yet, or null. */
    private Replay replay;

    LinkSender(Link link) {
        this.link = link;
        receiveCredits = new ReceiveCredits(link.limits.slots());
        poster = new MessagePoster(link, credits, receiveCredits);
        data = new DataSender(link, this, credits);
    }

    /** Starts with the peer's number of slots, and the slot size that both sides have room for. */
    void start(int slots, int slotBytes) {
        peerSlots = slots;
        eagerBytes = slotBytes - ControlLayout.SIZE;
        credits.start(slots);
    }

    ReceiveCredits receiveCredits() {
        return receiveCredits;
    }

    /** The peer has told its totals. */
    void told(int granted, int eagerTaken) {
        if (!link.state().isConnecting()) {
            credits.told(granted, eagerTaken, peerSlots);
        }
    }

    /** Receives of the peer's that were needed in total. */
    int receivesTaken() {
        return credits.total();
    }

    /** Number of the next message. */
    long sequence() {
        return poster.sequence();
    }

    /** Something that was counted as sent has not come to the peer. */
    void unsent(boolean eager, boolean numbered) {
        credits.unsent(eager);
        if (numbered) {
            poster.unsent();
        }
    }

    /** Posts a message again. Returns whether it could. */
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

    /** Posts a piece of a transfer again. Returns whether it could. */
    boolean repost(Transfer transfer, long offset, int bytes, int kind) {
        return data.repost(transfer, offset, bytes, kind);
    }

    boolean wantsMore() {
        return data.wantsMore();
    }

    /** Queues a message: in order with the bytes before it if it has FENCE, or one before it has. */
    void queueMessage(Transfer transfer) {
        if (transfer.has(EntryCode.FENCE) || fencedMessages > 0) {
            fencedMessages++;
            link.data.add(transfer);
        } else {
            link.sends.add(transfer);
        }
    }

    /** A transfer leaves the queue that it is in. */
    void dequeued(Transfer transfer) {
        if (transfer.isMessage() && transfer.list == link.data) {
            fencedMessages--;
        }
    }

    /** Posts what may be posted, at most {@code budget} bytes of data; returns how many. */
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
        sendMessages(); // notifications of what was posted
        sendCredits();
        return sent;
    }

    /** There is a queue pair again: first it gets what was under way. */
    void replay(Replay value) {
        replay = value;
    }

    /** What is still to be posted again, or null. */
    Replay replay() {
        return replay;
    }

    /** Returns whether all is posted again. */
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

    /** Gives credits that no other message has given: queued messages can't, as they wait for credits themselves. */
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

    /** Whether a message may be sent that others wait for, with so many credits left. */
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

    /** Sends a message that may be sent. Returns whether it could. */
    boolean post(int kind, long id, long a, long b, int key, int rights, long value) {
        return poster.post(kind, id, a, b, key, rights, value);
    }

    /** Sends a message of the program's, in its slot or by telling where it is. */
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

    /** The next bytes of a transfer were posted to a lane, by a request of that kind. */
    void posted(Lane lane, Transfer transfer, int bytes, int kind) {
        lane.posted(transfer, transfer.posted, bytes, kind);
        transfer.piecePosted(bytes);
    }

    void fly(Transfer transfer) {
        transfer.phase = Transfer.Phase.FLYING;
        link.flying.add(transfer);
    }

    /** Tells the peer the value of a transfer; the transfer ends when the peer's device has it. */
    void tell(Transfer transfer) {
        transfer.notified = true;
        transfer.outstanding++;
        link.messages.add(ControlKind.NOTIFY, 0, transfer.value, 0, 0, 0, transfer);
        link.activate();
    }
}
