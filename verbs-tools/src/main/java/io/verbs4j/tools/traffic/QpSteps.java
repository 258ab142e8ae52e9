/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.traffic;

import io.verbs4j.AhAttr;
import io.verbs4j.Mtu;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.tools.net.Address;

/**
 * The three steps that move a queue pair from RESET to where it can send: INIT, RTR (ready to receive) and RTS (ready
 * to send). Each setter also sets its bit in the mask, so the attributes set here are exactly those that the step needs
 * for the service.
 */
final class QpSteps {
    /** Q_Key of the datagrams of the ping-pong programs. */
    static final int QKEY = 0x11111111;

    private static final int HOP_LIMIT = 64;

    /** Packets are retransmitted after 4.096 microseconds times 2 to the 14th, 67 ms, without an acknowledgement. */
    private static final int TIMEOUT = 14;

    private static final int RETRIES = 7;

    /** Seven means for ever. */
    private static final int RETRIES_NOT_READY = 7;

    /** A peer whose message finds no receive waits 0.64 ms. */
    private static final int NOT_READY_TIMER = 12;

    private QpSteps() {}

    private static boolean retries(EndpointOptions o) {
        return o.service().isReliable() && o.service().isConnected(); // datagrams need no retry attributes
    }

    /** RESET to INIT: receives can be posted. */
    static QpAttr init(EndpointOptions o) {
        QpAttr attr = new QpAttr().qpState(QpState.INIT).pkeyIndex(0).portNum(o.port());
        return o.service().isConnected() ? attr.qpAccessFlags(o.remoteAccess()) : attr.qkey(QKEY);
    }

    /** INIT to RTR: messages are received. A connected queue pair is given its peer here. */
    static QpAttr readyToReceive(EndpointOptions o, Address peer) {
        QpAttr attr = new QpAttr().qpState(QpState.RTR);
        if (o.service().isConnected()) {
            attr.ahAttr(path(o, peer))
                    .pathMtu(Mtu.fromBytes(o.mtu()))
                    .destQpNum(peer.qpn())
                    .rqPsn(peer.psn());
        }
        if (retries(o)) {
            attr.maxDestRdAtomic(o.readDepth()).minRnrTimer(NOT_READY_TIMER);
        }
        return attr;
    }

    /** RTR to RTS: messages can be sent too. */
    static QpAttr readyToSend(EndpointOptions o, Address self) {
        QpAttr attr = new QpAttr().qpState(QpState.RTS).sqPsn(self.psn());
        if (retries(o)) {
            attr.timeout(TIMEOUT).retryCnt(RETRIES).rnrRetry(RETRIES_NOT_READY).maxRdAtomic(o.readDepth());
        }
        return attr;
    }

    /** {@return the path to the peer: by its LID on InfiniBand, by its GID everywhere else} */
    static AhAttr path(EndpointOptions o, Address peer) {
        AhAttr path = new AhAttr().dlid(peer.lid()).sl(o.serviceLevel()).portNum(o.port());
        if (peer.gid().interfaceId() != 0) {
            path.isGlobal(true)
                    .grh()
                    .dgid(peer.gid())
                    .sgidIndex(Math.max(0, o.gidIndex()))
                    .hopLimit(HOP_LIMIT);
        }
        return path;
    }
}
