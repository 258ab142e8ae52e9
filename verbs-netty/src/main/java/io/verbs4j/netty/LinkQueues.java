/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import io.verbs4j.cm.CmId;
import io.verbs4j.cm.ConnParam;
import java.net.ConnectException;

/** The queue pair of a connection, with its send queue and receives. Belongs to the loop's thread. */
final class LinkQueues {
    private final VerbsIoHandler loop;
    private final int index;
    private final QueuePair qp;
    private final Receives receives;
    private final SendQueue outbox;
    private final Inbox inbox;

    private LinkQueues(
            VerbsIoHandler loop, int index, QueuePair qp, Receives receives, Traffic traffic, int maxWindow) {
        this.loop = loop;
        this.index = index;
        this.qp = qp;
        this.receives = receives;
        outbox = new SendQueue(loop.slab(), loop.device().registered(), traffic, qp, LinkTable.firstId(index));
        inbox = new Inbox(loop.slab(), receives, outbox, maxWindow);
    }

    /** Makes the queue pair of a connection that is not established yet. */
    static LinkQueues make(Link link, CmId id, LinkSettings settings, Traffic traffic) throws ConnectException {
        VerbsIoHandler loop = link.loop();
        LoopQueues queues = loop.queues();
        int maxWindow = Math.max(
                VerbsOptions.FIRST_WINDOW,
                Math.min(
                        VerbsOptions.MAX_WINDOW,
                        settings.receiveBytes() / loop.slab().slotSize()));
        Receives receives = queues.supply().join(Math.min(VerbsOptions.FIRST_WINDOW, maxWindow));
        if (receives == null) {
            throw outOfReceives(queues);
        }
        int index = loop.links().reserve(link);
        QueuePair qp;
        try {
            queues.makeRoom();
            qp = id.createQp(loop.device().pd(), queues.attr());
        } catch (VerbsException e) {
            loop.links().release(index);
            receives.close();
            throw e;
        }
        loop.links().add(qp.qpNum(), link);
        LinkQueues made = new LinkQueues(loop, index, qp, receives, traffic, maxWindow);
        if (!receives.open(qp)) {
            id.destroyQp();
            made.close();
            throw outOfReceives(queues);
        }
        return made;
    }

    private static ConnectException outOfReceives(LoopQueues queues) {
        return new ConnectException("the event loop has no receives left for another connection: all "
                + queues.supply().capacity() + " are reserved; see VerbsOptions.withMaxMemory");
    }

    /** {@return the parameters for connecting or accepting, with this side's greeting} */
    ConnParam param() {
        return ConnParam.DEFAULT.withPrivateData(
                Wire.encode(new Wire.Greeting(receives.window(), loop.slab().slotSize())));
    }

    Receives receives() {
        return receives;
    }

    SendQueue outbox() {
        return outbox;
    }

    Inbox inbox() {
        return inbox;
    }

    /** Releases all memory; the queue pair is closed. */
    void close() {
        loop.links().remove(index, qp.qpNum());
        inbox.clear();
        outbox.clear();
        receives.close();
    }
}
