/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

import io.verbs4j.Errno;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpState;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.provider.mlx5.dv.DvObjects;
import io.verbs4j.provider.mlx5.ring.ReceiveRing;
import io.verbs4j.provider.mlx5.ring.SendRing;
import io.verbs4j.provider.mlx5.ring.SharedRing;
import io.verbs4j.provider.mlx5.ring.SpinLock;
import io.verbs4j.rdmacore.object.BadWr;
import io.verbs4j.rdmacore.object.NativeQueuePair;

/** A queue pair that Java posts to. */
final class Mlx5QueuePair extends NativeQueuePair {
    private final Mlx5Context base;
    private final SendRing sends;
    private final ReceiveRing receives;
    private final SharedRing shared;
    private final SpinLock sendLock;
    private final SpinLock receiveLock;
    private boolean sendsClosed;
    private boolean receivesClosed;

    Mlx5QueuePair(Mlx5Context base, QpInitAttrEx attr, long qp) {
        super(base.context(), attr, qp, base.functions(), base.regions());
        this.base = base;
        DvObjects.Qp rings = DvObjects.qp(qp);
        QpCap cap = attr.cap();
        sends = cap.maxSendWr() == 0
                ? null
                : new SendRing(new SendRing.Setup(
                        rings.sqBuf(),
                        rings.sqCount(),
                        rings.dbrec(),
                        base.doorbell(rings),
                        qpNum(),
                        qpType(),
                        attr.sqSigAll(),
                        cap.maxSendWr(),
                        cap.maxSendSge(),
                        cap.maxInlineData(),
                        base.atomics(),
                        pd(),
                        base.regions()));
        shared = attr.srq() instanceof Mlx5SharedReceiveQueue srq ? srq.ring() : null;
        receives = shared != null || cap.maxRecvWr() == 0
                ? null
                : new ReceiveRing(
                        rings.rqBuf(),
                        rings.rqCount(),
                        rings.rqStride(),
                        rings.dbrec(),
                        cap.maxRecvWr(),
                        cap.maxRecvSge());
        sendLock = new SpinLock(base.path().singleThreaded());
        receiveLock = new SpinLock(base.path().singleThreaded());
        base.rings().add(qpNum(), this, sends, receives, shared);
    }

    @Override
    public int postSend(SendWorkRequest wr, SendWorkRequest[] badWr) {
        if (wr != null && sends != null && state() >= QpState.RTS) {
            sendLock.lock();
            try {
                if (!sendsClosed) {
                    return sends.post(wr, badWr);
                }
            } finally {
                sendLock.unlock();
            }
        }
        return BadWr.tell(wr, badWr, Errno.EINVAL);
    }

    @Override
    public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
        if (wr != null && receives != null && state() != QpState.RESET) {
            receiveLock.lock();
            try {
                if (!receivesClosed) {
                    return receives.post(wr, badWr);
                }
            } finally {
                receiveLock.unlock();
            }
        }
        return BadWr.tell(wr, badWr, Errno.EINVAL);
    }

    @Override
    public int bindMw(MemoryWindow mw, MwBind bind) {
        sendLock.lock();
        try {
            return sendsClosed || sends == null || state() < QpState.RTS
                    ? Errno.EINVAL
                    : WindowBinder.bind(this, sends, mw, bind);
        } finally {
            sendLock.unlock();
        }
    }

    /** In RESET the device has forgotten the queues, and so do we. */
    @Override
    public void state(int newState) {
        super.state(newState);
        if (newState == QpState.RESET) {
            reset();
        }
    }

    private void reset() {
        sendLock.lock();
        receiveLock.lock();
        try {
            if (sends != null) {
                sends.reset();
            }
            if (receives != null) {
                receives.reset();
            }
        } finally {
            receiveLock.unlock();
            sendLock.unlock();
        }
        dropCompletions();
    }

    @Override
    public void destroy() {
        sendLock.lock();
        receiveLock.lock();
        try {
            super.destroy();
            sendsClosed = true;
            receivesClosed = true;
        } finally {
            receiveLock.unlock();
            sendLock.unlock();
        }
        base.rings().remove(qpNum(), this); // then its completions are dropped
    }
}
