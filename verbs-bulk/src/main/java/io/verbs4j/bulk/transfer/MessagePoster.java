/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.SendFlags;
import io.verbs4j.bulk.control.ControlKind;
import io.verbs4j.bulk.control.ControlLayout;
import io.verbs4j.bulk.control.ReceiveCredits;
import io.verbs4j.bulk.control.SendCredits;

/** Posts the messages of a connection, each with its number and this side's credits. */
final class MessagePoster {
    private final Link link;
    private final SendCredits credits;
    private final ReceiveCredits receiveCredits;
    private long sequence;

    MessagePoster(Link link, SendCredits credits, ReceiveCredits receiveCredits) {
        this.link = link;
        this.credits = credits;
        this.receiveCredits = receiveCredits;
    }

    /** Whether a message that is not urgent may be posted. */
    boolean may() {
        return credits.may() && link.posted.room() > 0;
    }

    /** Posts the oldest message of a queue. Returns whether it was posted. */
    boolean postQueued(MessageQueue queue) {
        int at = link.slots.header(link.posted.next());
        Transfer transfer = queue.firstTransfer();
        queue.write(link.slots.bytes(), at);
        link.addresses.refresh(at);
        if (!post(at, transfer, transfer != null)) {
            return false;
        }
        queue.remove();
        return true;
    }

    /** Posts a message without queueing it; the caller has checked that credits and the send queue allow it. */
    boolean post(int kind, long id, long a, long b, int key, int rights, long value) {
        int at = link.slots.header(link.posted.next());
        ControlLayout.body(link.slots.bytes(), at, kind, id, a, b, key, rights);
        ControlLayout.message(link.slots.bytes(), at, 0, value);
        return post(at, null, false);
    }

    private boolean post(int at, Transfer transfer, boolean needed) {
        boolean signaled = needed || link.posted.mustSignal() || link.state().isClosing();
        if (!postHeader(at, signaled ? SendFlags.SIGNALED : 0, null)) {
            return false;
        }
        link.posted.posted(transfer, 0, signaled);
        return true;
    }

    /** Posts a message of the program, with its bytes or their address. The caller must record it as posted. */
    boolean postProgram(Transfer transfer, boolean eager, int flags) {
        int at = link.slots.header(link.posted.next());
        int device = link.load.device();
        boolean read = !eager && link.protocol().reads();
        ControlLayout.body(
                link.slots.bytes(),
                at,
                eager ? ControlKind.EAGER : ControlKind.RTS,
                transfer.id(),
                transfer.length,
                read ? transfer.localAddress(device) : 0,
                read ? transfer.memory.rkey(device) : 0,
                0);
        ControlLayout.message(link.slots.bytes(), at, transfer.stream, transfer.value);
        return postHeader(at, flags | SendFlags.SIGNALED, eager ? transfer : null);
    }

    /** Number of the next message. */
    long sequence() {
        return sequence;
    }

    /** Takes back the number of the last message, which has not reached the peer. */
    void unsent() {
        sequence--;
    }

    /** Posts a header, followed by the bytes of a transfer. */
    boolean postHeader(int at, int flags, Transfer body) {
        ControlLayout.header(
                link.slots.bytes(),
                at,
                link.recovery().epoch(),
                receiveCredits.tellPosted(),
                receiveCredits.tellEagerTaken(),
                sequence);
        boolean bare = body == null || body.length == 0;
        int device = link.load.device();
        int errno = link.posts()
                .send(
                        link.wrId(link.posted.next()),
                        flags,
                        link.slots.lkey(),
                        link.slots.address(at),
                        ControlLayout.SIZE,
                        bare ? 0 : body.memory.lkey(device),
                        bare ? 0 : body.localAddress(device),
                        bare ? 0 : (int) body.length);
        if (errno != 0) {
            link.refused(errno);
            return false;
        }
        sequence++;
        credits.sent();
        return true;
    }
}
