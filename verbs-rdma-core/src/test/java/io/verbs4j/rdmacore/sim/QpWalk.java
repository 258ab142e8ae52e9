/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.sim;

import io.verbs4j.AhAttr;
import io.verbs4j.Gid;
import io.verbs4j.GlobalRoute;
import io.verbs4j.Mtu;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import java.util.function.Consumer;

/**
 * The state changes of a queue pair from RESET through INIT and RTR to RTS, with the attributes that its type requires.
 */
public final class QpWalk {
    private static final int SEVEN = 7;

    private final int type;
    private int port = 1;
    private int access;
    private int qkey;
    private int mtu = Mtu.MTU_1024;
    private int minRnrTimer = 12;
    private int timeout = 14;
    private int retryCnt = SEVEN;
    private int rnrRetry = SEVEN;
    private int maxRdAtomic = 1;
    private int maxDestRdAtomic = 1;
    private int rqPsn;
    private int sqPsn;

    private QpWalk(int type) {
        this.type = type;
    }

    /**
     * {@return the state changes for a {@link QpType}: port 1, MTU 1024, 7 retries, one outstanding RDMA READ}
     */
    public static QpWalk of(int type) {
        return new QpWalk(type);
    }

    public QpWalk port(int number) {
        port = number;
        return this;
    }

    public QpWalk access(int flags) {
        access = flags;
        return this;
    }

    public QpWalk qkey(int value) {
        qkey = value;
        return this;
    }

    public QpWalk mtu(int value) {
        mtu = value;
        return this;
    }

    public QpWalk minRnrTimer(int code) {
        minRnrTimer = code;
        return this;
    }

    public QpWalk timeout(int code) {
        timeout = code;
        return this;
    }

    public QpWalk retryCnt(int count) {
        retryCnt = count;
        return this;
    }

    public QpWalk rnrRetry(int count) {
        rnrRetry = count;
        return this;
    }

    /** Sets how many RDMA READs and atomics may be outstanding in each direction. */
    public QpWalk readDepth(int count) {
        return readDepth(count, count);
    }

    /** Sets how many RDMA READs and atomics may be outstanding: from this side, and from the peer. */
    public QpWalk readDepth(int ours, int peers) {
        maxRdAtomic = ours;
        maxDestRdAtomic = peers;
        return this;
    }

    /** Sets the first packet number of both directions; 0 unless set. */
    public QpWalk psn(int both) {
        rqPsn = both;
        sqPsn = both;
        return this;
    }

    /** Sets the first packet number that is expected. */
    public QpWalk rqPsn(int value) {
        rqPsn = value;
        return this;
    }

    /** Sets the first packet number that is sent. */
    public QpWalk sqPsn(int value) {
        sqPsn = value;
        return this;
    }

    /** {@return the path from port 1 to a GID} */
    public static AhAttr path(Gid remote) {
        return new AhAttr()
                .isGlobal(true)
                .portNum(1)
                .grh(new GlobalRoute().dgid(remote).hopLimit(64));
    }

    private boolean isConnected() {
        return type == QpType.RC || type == QpType.UC || type == QpType.XRC_SEND || type == QpType.XRC_RECV;
    }

    public QpAttr init() {
        QpAttr init = new QpAttr().qpState(QpState.INIT).portNum(port);
        if (type == QpType.RAW_PACKET) {
            return init;
        }
        return isConnected()
                ? init.pkeyIndex(0).qpAccessFlags(access)
                : init.pkeyIndex(0).qkey(qkey);
    }

    /** {@return the attributes for RTR; types without connections need neither path nor number} */
    public QpAttr rtr(AhAttr path, int destQpNum) {
        QpAttr rtr = new QpAttr().qpState(QpState.RTR);
        if (isConnected()) {
            rtr.ahAttr(path).destQpNum(destQpNum).rqPsn(rqPsn).pathMtu(mtu);
        }
        if (type == QpType.RC || type == QpType.XRC_RECV) {
            rtr.maxDestRdAtomic(maxDestRdAtomic).minRnrTimer(minRnrTimer);
        }
        return rtr;
    }

    public QpAttr rts() {
        QpAttr rts = new QpAttr().qpState(QpState.RTS);
        if (type == QpType.RAW_PACKET) {
            return rts;
        }
        rts.sqPsn(sqPsn);
        if (type == QpType.RC || type == QpType.XRC_RECV) {
            rts.timeout(timeout);
        }
        if (type == QpType.RC || type == QpType.XRC_SEND) {
            rts.timeout(timeout).retryCnt(retryCnt).rnrRetry(rnrRetry).maxRdAtomic(maxRdAtomic);
        }
        return rts;
    }

    /** Connects a queue pair in RESET to a queue pair number at the end of a path. */
    public void connect(QueuePair qp, AhAttr path, int destQpNum) {
        connect(path, destQpNum, qp::modify);
    }

    /** Connects a queue pair that {@code modify} changes. */
    public void connect(AhAttr path, int destQpNum, Consumer<QpAttr> modify) {
        modify.accept(init());
        modify.accept(rtr(path, destQpNum));
        modify.accept(rts());
    }

    /** Makes an unconnected queue pair in RESET ready to send. */
    public void ready(QueuePair qp) {
        connect(null, 0, qp::modify);
    }

    /** Moves a queue pair back to RESET. */
    public static void reset(QueuePair qp) {
        qp.modify(new QpAttr().qpState(QpState.RESET));
    }
}
