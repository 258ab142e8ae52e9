/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.rdma;

import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import java.security.SecureRandom;

/**
 * One end of a reliable connection. Made, it takes receives; {@link #address} goes to the peer by whatever way there is; with
 * the peer's, {@link #connect} makes it ready to send.
 */
public final class RcConnection implements AutoCloseable {
    private static final SecureRandom RANDOM = new SecureRandom();

    private static final int PSN_BITS = 24;

    /** 4.096 microseconds times 2 to the 14th: 67 ms without an acknowledgement, then the packets are sent again. */
    private static final int TIMEOUT = 14;

    private static final int RETRIES = 7;

    /** Seven stands for ever: a peer that has no receive ready makes the sender wait, it does not break the connection. */
    private static final int RETRIES_NOT_READY = 7;

    /** A sender who finds no receive tries again after 0.64 ms. */
    private static final int NOT_READY_TIMER = 12;

    /** READs and atomics that may be under way in each direction. */
    private static final int READS_UNDER_WAY = 4;

    private final ActivePort port;
    private final QueuePair qp;
    private final int psn = RANDOM.nextInt(1 << PSN_BITS); // a stray packet of an earlier connection will not fit

    /**
     * Makes a queue pair that can receive as soon as it is connected.
     *
     * @param pd domain of the memory that it works with
     * @param attr its queues
     * @param remoteAccess what the peer may do to that memory, {@link io.verbs4j.AccessFlags}
     */
    public RcConnection(ProtectionDomain pd, ActivePort port, QpInitAttr attr, int remoteAccess) {
        this.port = port;
        qp = pd.createQp(attr.qpType(QpType.RC));
        try {
            qp.modify(new QpAttr()
                    .qpState(QpState.INIT)
                    .portNum(port.number())
                    .pkeyIndex(0)
                    .qpAccessFlags(remoteAccess));
        } catch (RuntimeException e) {
            qp.close();
            throw e;
        }
    }

    /** What the peer has to know. */
    public PeerAddress address() {
        return new PeerAddress(port.gid(), port.lid(), qp.qpNum(), psn);
    }

    /** Connects with a peer, who does the same with {@link #address}. */
    public void connect(PeerAddress peer) {
        qp.modify(new QpAttr()
                .qpState(QpState.RTR)
                .ahAttr(port.pathTo(peer.gid(), peer.lid()))
                .destQpNum(peer.qpNum())
                .rqPsn(peer.psn())
                .pathMtu(port.mtu())
                .maxDestRdAtomic(READS_UNDER_WAY)
                .minRnrTimer(NOT_READY_TIMER));
        qp.modify(new QpAttr()
                .qpState(QpState.RTS)
                .sqPsn(psn)
                .timeout(TIMEOUT)
                .retryCnt(RETRIES)
                .rnrRetry(RETRIES_NOT_READY)
                .maxRdAtomic(READS_UNDER_WAY));
    }

    /** The queue pair, to post to. */
    public QueuePair qp() {
        return qp;
    }

    @Override
    public void close() {
        qp.close();
    }
}
