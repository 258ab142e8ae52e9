/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.TransportType;
import io.verbs4j.VerbsException;
import io.verbs4j.cm.spi.CmEndpoint;

/** The queue pair of an id, and its state changes. */
final class CmQueuePair {
    private final CmId id;
    private volatile QueuePair qp;

    CmQueuePair(CmId id) {
        this.id = id;
    }

    QueuePair get() {
        return qp;
    }

    synchronized QueuePair create(ProtectionDomain pd, QpInitAttr attr) {
        String verb = "create_qp";
        boolean datagrams = id.portSpace() == PortSpace.UDP;
        int type = datagrams ? QpType.UD : QpType.RC;
        if (qp != null) {
            throw new VerbsException(Errno.EINVAL, verb, "the id already has a queue pair; call destroyQp() first");
        }
        if (pd.context() != id.context()) {
            throw new VerbsException(Errno.EINVAL, verb, "the protection domain does not belong to the id's context");
        }
        if (attr.qpType() != type) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    "an id of port space " + PortSpace.toString(id.portSpace()) + " has queue pairs of type "
                            + QpType.toString(type) + ", not " + QpType.toString(attr.qpType()));
        }
        QueuePair made = pd.createQp(attr);
        try {
            if (datagrams) {
                made.modify(new QpAttr()
                        .qpState(QpState.INIT)
                        .pkeyIndex(0)
                        .portNum(id.endpoint().portNum())
                        .qkey(PortSpace.UDP_QKEY));
                made.modify(new QpAttr().qpState(QpState.RTR));
                made.modify(new QpAttr().qpState(QpState.RTS).sqPsn(0));
            } else {
                made.modify(new QpAttr()
                        .qpState(QpState.INIT)
                        .pkeyIndex(0)
                        .portNum(id.endpoint().portNum())
                        .qpAccessFlags(AccessFlags.LOCAL_WRITE));
                id.endpoint().willConnect(made);
            }
        } catch (VerbsException e) {
            made.close();
            throw e;
        }
        if (id.isClosed()) { // closed in the meantime: nobody else would close the queue pair
            made.close();
            throw Arguments.closed(verb, "the id");
        }
        qp = made;
        return made;
    }

    /** Returns the parameters with the number of the id's queue pair, if it has one. */
    ConnParam own(ConnParam param) {
        QueuePair own = qp;
        return own == null ? param : param.withQpNum(own.qpNum()).withSrq(own.srq() != null);
    }

    void accept(CmEndpoint end, ConnParam param) {
        if (qp != null && id.portSpace() == PortSpace.TCP) {
            connect(end, param);
        }
        end.accept(own(param));
    }

    /** Moves the queue pair until it can send. {@code limits} are the program's own, or null. */
    private void connect(CmEndpoint end, ConnParam limits) {
        QueuePair own = qp;
        own.modify(end.qpAttr(QpState.INIT));
        if (isMovedByDevice(own)) {
            return;
        }
        QpAttr rtr = end.qpAttr(QpState.RTR);
        QpAttr rts = end.qpAttr(QpState.RTS);
        if (limits != null) {
            rtr.maxDestRdAtomic(Math.min(rtr.maxDestRdAtomic(), limits.responderResources()));
            rts.maxRdAtomic(Math.min(rts.maxRdAtomic(), limits.initiatorDepth()));
        }
        own.modify(rtr);
        own.modify(rts);
    }

    /** Does the work that an event requires. */
    CmEvent take(CmId.Pending event) {
        int type = event.type();
        int status = event.status();
        VerbsException cause = null;
        switch (type) {
            case CmEventType.CONNECT_RESPONSE -> {
                if (qp != null) {
                    CmEndpoint end = id.endpoint();
                    try {
                        connect(end, null);
                        end.establish();
                        type = CmEventType.ESTABLISHED;
                    } catch (VerbsException e) {
                        giveUp(end);
                        type = CmEventType.CONNECT_ERROR;
                        status = -e.errno();
                        cause = e;
                    }
                }
            }
            case CmEventType.ESTABLISHED -> established();
            case CmEventType.CONNECT_ERROR, CmEventType.REJECTED, CmEventType.UNREACHABLE, CmEventType.DISCONNECTED ->
                fail();
            case CmEventType.MULTICAST_JOIN -> {
                QueuePair own = qp;
                if (own != null && status == 0) {
                    try {
                        int lid = event.ud().ahAttr().dlid(); // 0 except in InfiniBand fabrics
                        own.attachMcast(event.ud().dgid(), lid);
                        id.joined(event.ud().dgid(), lid);
                    } catch (VerbsException e) {
                        type = CmEventType.MULTICAST_ERROR;
                        status = -e.errno();
                        cause = e;
                    }
                }
            }
            default -> {
                // nothing to do
            }
        }
        if (id.isClosed()) { // in the meantime
            return null;
        }
        String reason = cause != null ? cause.getMessage() : event.reason();
        return new CmEvent(id, null, type, status, event.conn(), event.ud(), event.context(), reason, cause);
    }

    /** Whether the device moves the queue pair itself when it connects and disconnects, as iWARP devices do. */
    private static boolean isMovedByDevice(QueuePair own) {
        return own.context().device().transportType() == TransportType.IWARP;
    }

    /** Repeats the move that the device has made, which changes nothing but lets those that track states see it. */
    private void established() {
        QueuePair own = qp;
        if (own != null && isMovedByDevice(own)) {
            try {
                own.modify(new QpAttr().qpState(QpState.RTS));
            } catch (VerbsException e) {
                // the peer has disconnected since, which is the next event
            }
        }
    }

    /** Called before the peer learns that the connection ends. */
    void disconnecting() {
        QueuePair own = qp;
        if (own != null && !isMovedByDevice(own)) {
            fail();
        }
    }

    private void giveUp(CmEndpoint end) {
        fail();
        try {
            end.reject(RejectReason.CONSUMER_DEFINED, new byte[0]);
        } catch (VerbsException e) {
            // the connection is gone already
        }
    }

    /** Moves the queue pair to state ERR, which ends posted requests. */
    void fail() {
        QueuePair own = qp;
        if (own != null && own.qpType() == QpType.RC) {
            try {
                own.modify(new QpAttr().qpState(QpState.ERR));
            } catch (VerbsException e) {
                // closed, or in state RESET
            }
        }
    }

    synchronized void close() {
        QueuePair own = qp;
        if (own != null) {
            try {
                id.leaveAll();
            } finally {
                own.close();
                qp = null; // only now, so that a failed close can be retried
            }
        }
    }
}
