/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.xrc;

import io.verbs4j.QpAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.provider.rxe.base.Mishaps;
import io.verbs4j.provider.rxe.qp.Inbox;
import io.verbs4j.provider.rxe.qp.QpHost;
import io.verbs4j.provider.rxe.qp.RxeQp;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;

/** A queue pair of type XRC_RECV. Programs have only handles of it, none of which owns it. */
public final class RxeXrcQp extends RxeQp implements XrcReceiver {
    private static final Mishaps MISHAPS = new Mishaps("an event could not be reported to another process");

    private final XrcDomainState domain;
    private final List<Handle> handles = new CopyOnWriteArrayList<>();

    /** Connections to other processes, by prefix. Guarded by the receive lock. */
    private final Map<Integer, XrcPeer> peers = new HashMap<>();

    private Control control;
    private boolean ended;

    /** Operations of the context on behalf of other processes' handles, which may outlive it. */
    public interface Control {
        /** Validates and changes attributes. */
        void modify(QpAttr attr, int mask);

        /** Ends the queue pair after its last handle was closed. */
        void end();
    }

    /** A handle that has the queue pair open. */
    interface Handle {
        /** Reports an event; may be called while holding locks. */
        void raise(int eventType);
    }

    /** Creates a queue pair without a handle. */
    public RxeXrcQp(QpInitAttrEx attr, int qpNum, QpHost host) {
        super(attr, qpNum, host, null);
        this.domain = ((RxeXrcDomain) attr.xrcd()).domain;
    }

    /** Sets the control; call it before the first handle is created. */
    public void control(Control value) {
        control = value;
    }

    Control control() {
        return control;
    }

    @Override
    public Inbox newInbox() {
        return new XrcInbox(this, domain, this);
    }

    /** Adds a handle; returns false if the queue pair has ended with its last one. */
    boolean open(Handle handle) {
        synchronized (domain) {
            if (ended) {
                return false;
            }
            domain.add(this);
            return handles.add(handle);
        }
    }

    /** Removes a handle; returns whether it was the last, after which no other can be added. */
    boolean close(Handle handle) {
        synchronized (domain) {
            handles.remove(handle);
            ended = handles.isEmpty();
            if (ended) {
                domain.remove(this);
            }
            return ended;
        }
    }

    // ---- other processes

    @Override
    public boolean isForeign(int srqNum) {
        return domain.isForeign(srqNum);
    }

    @Override
    public boolean waitsForProcesses() {
        return domain.rendezvous() != null;
    }

    @Override
    public Executor helpers() {
        return domain.threads();
    }

    /** Returns the connection to the process that has a queue; null if no process has such numbers. */
    XrcPeer peer(int srqNum) {
        int prefix = srqNum >>> Rendezvous.LOCAL_BITS;
        XrcPeer peer = peers.get(prefix);
        if (peer == null) {
            Path socket = domain.rendezvous().socket(prefix);
            if (socket == null) {
                return null;
            }
            peer = new XrcPeer(socket, qpNum(), mtu());
            peers.put(prefix, peer);
        }
        return peer;
    }

    void closePeers() {
        peers.values().forEach(XrcPeer::close);
        peers.clear();
    }

    // ---- events

    @Override
    public void raise(int eventType) {
        for (Handle handle : handles) {
            try {
                handle.raise(eventType);
            } catch (OutOfMemoryError e) {
                // a handle of another process needs a thread; the other handles must still get the event
                MISHAPS.note(e);
            }
        }
    }

    @Override
    protected void dropEvents() {
        // each handle drops its own
    }
}
