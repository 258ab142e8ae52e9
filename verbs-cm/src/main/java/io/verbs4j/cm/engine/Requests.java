/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import io.verbs4j.Gid;
import io.verbs4j.Mtu;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.cm.PortSpace;
import io.verbs4j.cm.RejectReason;
import io.verbs4j.cm.spi.CmSink;
import java.util.Arrays;

/** Handles connection requests as Linux does; comments explain each difference. Guarded by the engine. */
final class Requests {
    private static final int PARTITION = 0x7fff;
    private static final int RC = 0;
    private static final int ACCEPTED = 0;

    private final Engine engine;

    Requests(Engine engine) {
        this.engine = engine;
    }

    void onReq(Req req, Gid source, Gid destination) {
        Connection before = engine.requested(source, req.caGuid(), req.localId());
        if (before != null) {
            before.onReqAgain();
            return;
        }
        int space = ServiceId.portSpace(req.serviceId());
        Endpoint listener = engine.listener(space, ServiceId.port(req.serviceId()), destination);
        int reason = judge(req, listener, space, source, destination);
        if (reason == ACCEPTED) {
            Connection holder = engine.ofQueuePair(source, req.caGuid(), req.qpNum());
            if (holder != null) {
                // Linux takes down the older connection at once. This code probes its peer, because anybody can send
                // a request.
                holder.onStale();
                reason = RejectReason.STALE_CONN;
            }
        }
        if (reason == ACCEPTED && !hasRoom(listener.backlog(), source)) {
            engine.drop(); // the peer repeats it
        } else if (reason == ACCEPTED) {
            take(req, listener, source, destination);
        } else {
            refuse(req, reason, source, destination);
        }
    }

    /** Returns whether a request from an address fits in, after giving up a peer that does not confirm if necessary. */
    private boolean hasRoom(Backlog backlog, Gid source) {
        if (!backlog.isFull()) {
            return true;
        }
        Connection victim = backlog.victim(source, engine.now());
        if (victim != null) {
            victim.giveUp();
        }
        return !backlog.isFull();
    }

    private int judge(Req req, Endpoint listener, int space, Gid source, Gid destination) {
        if (listener == null) {
            return RejectReason.INVALID_SERVICE_ID;
        }
        // Linux answers to the address that is stated in the request. This code answers only to the sender.
        if ((req.pkey() & PARTITION) != PARTITION
                || !req.remoteGid().equals(destination)
                || !req.localGid().equals(source)) {
            return RejectReason.INVALID_GID;
        }
        if (req.alternateLocalLid() != 0 || req.alternateRemoteLid() != 0) {
            return RejectReason.INVALID_ALT_GID;
        }
        if (space != PortSpace.TCP
                || req.transport() != RC
                || !AddressCheck.isGood(req.cmaHeader(), listener, source, destination)) {
            return RejectReason.CONSUMER_DEFINED;
        }
        // Linux passes any number to the program.
        if (req.pathMtu() < Mtu.MTU_256 || req.pathMtu() > Mtu.MTU_4096) {
            return RejectReason.INVALID_MTU;
        }
        return ACCEPTED;
    }

    private void refuse(Req req, int reason, Gid source, Gid destination) {
        Rej rej = new Rej();
        rej.tid(req.tid());
        rej.remoteId(req.localId());
        rej.reason(reason);
        if (reason == RejectReason.INVALID_GID) {
            rej.infoLength(Gid.LENGTH);
            rej.info(destination.toBytes()); // the one to use
        }
        engine.send(destination, source, req.trafficClass(), rej);
    }

    private void take(Req req, Endpoint listener, Gid source, Gid destination) {
        Endpoint child = listener.child(destination, source, req.cmaHeader().port());
        Connection c = engine.connect(child);
        c.localGid = destination;
        c.remoteGid = source;
        c.trafficClass = req.trafficClass();
        c.remoteId = req.localId();
        c.tid = req.tid();
        c.remoteGuid = req.caGuid();
        c.remoteQpn = req.qpNum();
        c.sendPsn = req.startingPsn();
        c.receivePsn = engine.random24();
        c.pathMtu = req.pathMtu();
        c.flowLabel = req.flowLabel();
        c.responderResources = Math.min(req.initiatorDepth(), child.limits().responderResources());
        c.initiatorDepth = Math.min(req.responderResources(), child.limits().initiatorDepth());
        c.retryCount = req.retryCount();
        c.rnrRetryCount = req.rnrRetryCount();
        c.ackTimeout = Math.max(req.ackTimeout(), 1); // 0 would mean no limit; Linux also uses 1
        ConnectionSetup.options(child, c);
        c.state = Connection.State.REQ_RCVD;
        byte[] data = req.privateData();
        ConnParam conn = ConnParam.DEFAULT
                .withPrivateData(Arrays.copyOfRange(data, CmaHeader.LENGTH, data.length))
                .withResponderResources(req.initiatorDepth())
                .withInitiatorDepth(req.responderResources())
                .withRetryCount(req.retryCount())
                .withRnrRetryCount(req.rnrRetryCount())
                .withSrq(req.srq() != 0)
                .withQpNum(req.qpNum());
        engine.taken(c);
        child.requested(listener, c);
        CmSink sink = listener.sink().connectRequest(child, conn);
        if (sink == null) {
            child.close();
        } else {
            child.sink(sink);
        }
    }
}
