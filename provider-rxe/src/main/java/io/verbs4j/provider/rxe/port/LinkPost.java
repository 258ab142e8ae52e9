/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.port;

import io.verbs4j.provider.rxe.queue.EventQueue;

/** A post where a thread of the program waits for packets of a link, instead of the link's own thread. */
final class LinkPost implements EventQueue.Post {
    private final PortLinks links;
    private final PortLinks.Receiver receiver;

    /** Whether the thread was called back, rather than woken because the link needs maintenance. */
    private volatile boolean calledBack;

    private LinkPost(PortLinks links, PortLinks.Receiver receiver) {
        this.links = links;
        this.receiver = receiver;
    }

    static EventQueue.Post of(PortLinks links, PortLinks.Receiver receiver) {
        return new LinkPost(links, receiver);
    }

    @Override
    public boolean await(long nanos) {
        if (!links.mayWait(receiver)) {
            return false;
        }
        try {
            long most = Math.min(nanos, PortLinks.LONGEST_WAIT);
            long began = System.nanoTime();
            if (links.awaitsPackets(receiver, most)) {
                links.take(receiver);
            } else if (!calledBack && System.nanoTime() - began < most) {
                receiver.loop.wake();
            }
            calledBack = false;
        } catch (Throwable e) {
            links.survive(e);
        }
        return true;
    }

    @Override
    public void callBack() {
        calledBack = true;
        receiver.link.wakeup();
    }

    @Override
    public void leave() {
        receiver.leave();
    }
}
