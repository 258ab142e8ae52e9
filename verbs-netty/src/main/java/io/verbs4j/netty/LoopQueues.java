/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.DeviceAttr;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.VerbsException;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;

/** The queues of an event loop: one completion queue for all of its connections, and their receives. */
final class LoopQueues {
    /** Bit of a request number that marks receives. */
    static final long RECEIVE = 1L << 62;

    private static final int BATCH = 64;
    private static final int FIRST_SENDS = 1024;
    private static final int MAX_RECEIVES = 1 << 16;

    private final CompletionQueue cq;
    private final Slab slab;
    private final ReceiveSupply supply;
    private final LinkTable links;
    private final QpInitAttr attr;
    private final int maxCqe;
    private final WorkCompletion[] completions = new WorkCompletion[BATCH];

    LoopQueues(SharedDevice device, CompletionChannel channel, Slab slab, LinkTable links) {
        this.slab = slab;
        this.links = links;
        Context context = device.context();
        DeviceAttr limits = context.queryDevice();
        boolean shared = limits.maxSrq() > 0;
        int capacity = Math.min(MAX_RECEIVES, slab.maxSlots() / 2);
        if (shared) {
            capacity = Math.min(capacity, limits.maxSrqWr());
        }
        maxCqe = limits.maxCqe();
        for (int i = 0; i < BATCH; i++) {
            completions[i] = new WorkCompletion();
        }
        cq = context.createCq(Math.min(maxCqe, capacity + FIRST_SENDS), null, channel, 0);
        try {
            supply = shared
                    ? new SharedReceivePool(device.pd(), slab, capacity)
                    : new OwnReceivePool(slab, capacity, limits.maxQpWr());
        } catch (VerbsException e) {
            cq.close();
            throw e;
        }
        attr = new QpInitAttr()
                .qpType(QpType.RC)
                .sendCq(cq)
                .recvCq(cq)
                .cap(new QpCap()
                        .maxSendWr(SendQueue.MAX_REQUESTS)
                        .maxSendSge(Math.min(SendRequest.MAX_PIECES, limits.maxSge())));
        supply.prepare(attr);
    }

    ReceiveSupply supply() {
        return supply;
    }

    /** {@return the attributes of the loop's queue pairs} */
    QpInitAttr attr() {
        return attr;
    }

    /** Makes room for the completions of one more connection. An overrun would break all connections. */
    void makeRoom() {
        long needed = supply.capacity() + (links.size() + 1L) * SendQueue.MAX_REQUESTS;
        if (needed > cq.cqe()) {
            cq.resize((int) Math.min(maxCqe, needed * 2));
        }
    }

    /** Passes at most one batch of completions to their connections. {@return the number of completions} */
    int poll() {
        int n = cq.poll(BATCH, completions);
        for (int i = 0; i < n; i++) {
            WorkCompletion wc = completions[i];
            if ((wc.wrId() & RECEIVE) != 0) {
                received(wc);
            } else {
                Link link = links.ofRequest(wc.wrId());
                if (link != null) {
                    link.sent(LinkTable.number(wc.wrId()), wc.status());
                }
            }
        }
        if (n < 0) {
            throw new VerbsException(-n, "poll_cq", "the completion queue of an event loop failed");
        }
        return n;
    }

    private void received(WorkCompletion wc) {
        Slot slot = slab.slot((int) (wc.wrId() & ~RECEIVE));
        Link link = links.ofQueuePair(wc.qpNum());
        if (link == null) {
            supply.orphaned(slot);
        } else if (wc.status() == WcStatus.SUCCESS && wc.opcode() == WcOpcode.RECV) {
            link.received(slot, wc.byteLen(), wc.immData());
        } else {
            link.receiveFailed(slot);
        }
    }

    /** Arms the completion queue, so that the next completion wakes the loop. */
    void arm() {
        cq.reqNotify(false);
    }

    void close() {
        supply.close();
        cq.close();
    }
}
