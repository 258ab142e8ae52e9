/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import io.verbs4j.AccessFlags;
import io.verbs4j.AhAttr;
import io.verbs4j.Errno;
import io.verbs4j.GlobalRoute;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.VerbsException;
import io.verbs4j.cm.PortSpace;

/** Attributes that move a queue pair, as {@code rdma_init_qp_attr} returns them. */
final class QpMoves {
    /** Devices have one port. */
    private static final int PORT = 1;

    private static final int HOP_LIMIT = 64;

    /**
     * 0.64 ms. librdmacm uses 0, which means 655 ms, and that delays the first message if it arrives before its receive
     * is posted.
     */
    private static final int MIN_RNR_TIMER = 12;

    private QpMoves() {}

    private static VerbsException noSuchState(String verb, int state) {
        return new VerbsException(
                Errno.EINVAL,
                verb,
                "no attributes for state " + QpState.toString(state)
                        + "; only INIT, RTR and RTS have some, the latter two once the peer's are known");
    }

    static QpAttr datagrams(String verb, int state) {
        return switch (state) {
            case QpState.INIT ->
                new QpAttr().qpState(QpState.INIT).pkeyIndex(0).portNum(PORT).qkey(PortSpace.UDP_QKEY);
            case QpState.RTR -> new QpAttr().qpState(QpState.RTR);
            case QpState.RTS -> new QpAttr().qpState(QpState.RTS).sqPsn(0);
            default -> throw noSuchState(verb, state);
        };
    }

    /** For a connection; null before it exists. */
    static QpAttr connected(String verb, int state, Connection c, int sgidIndex) {
        if (state == QpState.INIT) {
            boolean answers = c == null || c.responderResources > 0;
            return new QpAttr()
                    .qpState(QpState.INIT)
                    .pkeyIndex(0)
                    .portNum(PORT)
                    .qpAccessFlags(AccessFlags.REMOTE_WRITE
                            | (answers ? AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC : 0));
        }
        if (c == null || c.state == Connection.State.REQ_SENT) {
            throw noSuchState(verb, state);
        }
        return switch (state) {
            case QpState.RTR ->
                new QpAttr()
                        .qpState(QpState.RTR)
                        .ahAttr(new AhAttr()
                                .isGlobal(true)
                                .portNum(PORT)
                                .grh(new GlobalRoute()
                                        .dgid(c.remoteGid)
                                        .sgidIndex(sgidIndex)
                                        .flowLabel(c.flowLabel)
                                        .hopLimit(HOP_LIMIT)
                                        .trafficClass(c.trafficClass)))
                        .pathMtu(c.pathMtu)
                        .destQpNum(c.remoteQpn)
                        .rqPsn(c.receivePsn)
                        .maxDestRdAtomic(c.responderResources)
                        .minRnrTimer(MIN_RNR_TIMER);
            case QpState.RTS ->
                new QpAttr()
                        .qpState(QpState.RTS)
                        .timeout(c.ackTimeout)
                        .retryCnt(c.retryCount)
                        .rnrRetry(c.rnrRetryCount)
                        .sqPsn(c.sendPsn)
                        .maxRdAtomic(c.initiatorDepth);
            default -> throw noSuchState(verb, state);
        };
    }
}
