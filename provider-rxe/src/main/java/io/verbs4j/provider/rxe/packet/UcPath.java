/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import io.verbs4j.Gid;
import io.verbs4j.QpState;
import io.verbs4j.WcStatus;
import io.verbs4j.provider.rxe.link.Link;
import io.verbs4j.provider.rxe.qp.InboundMessage;
import io.verbs4j.provider.rxe.qp.RxeQp;
import io.verbs4j.provider.rxe.queue.CrossRequest;
import io.verbs4j.provider.rxe.queue.SendQueue;
import io.verbs4j.provider.rxe.queue.SendWqe;
import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.provider.rxe.wire.Packet;
import io.verbs4j.provider.rxe.wire.PsnMath;

/** UC by packets: sends without learning the outcome, and accepts the messages that arrive whole. */
final class UcPath extends PacketPath {
    /** Maximum number of packets sent without giving up the send lock. */
    private static final int TURN = 1024;

    private final PeerCheck peer;
    private final TransportCounters counters;
    private final PacketOutput out;
    private final RequestWriter writer;
    private final int mtu;

    // Guarded by the send lock.
    private int sqPsn;
    private boolean begun;

    // Guarded by the receive lock.
    private final InboundMessage message;
    private int expected;
    private boolean dropping;
    private boolean stopped;

    UcPath(RxeQp qp, Link link, TransportCounters counters) {
        super(qp);
        Gid remote = qp.settings().remoteGid();
        this.peer = new PeerCheck(remote, link.localGid());
        this.counters = counters;
        this.out = new PacketOutput(link, remote, qp.settings().destQpn());
        this.writer = new RequestWriter(qp, out, Opcode.UC);
        this.mtu = qp.settings().mtu();
        this.message = new InboundMessage(qp.newInbox());
        this.expected = qp.settings().firstRqPsn() & PsnMath.MAX;
    }

    // ---- sending

    @Override
    public void run() {
        if (!begun) {
            begun = true;
            sqPsn = qp.settings().firstSqPsn() & PsnMath.MAX;
            out.reach();
        }
        SendQueue sq = qp.sendQueue();
        for (int n = 0; sq.next() < sq.ready(); n++) {
            SendWqe wqe = sq.at(sq.next());
            if (qp.state() != QpState.RTS && !wqe.started) {
                break;
            }
            long delay = qp.sendDelay(payload(wqe));
            if (delay > 0) {
                qp.wakeAt(qp.now() + delay);
                break;
            }
            if (n == TURN) {
                qp.serviceSoon();
                break;
            }
            int status = sendPacket(sq, wqe);
            if (status == CrossRequest.WAITS) {
                break;
            }
            if (status != WcStatus.SUCCESS) {
                out.flush();
                qp.failSend(status);
                return;
            }
        }
        out.flush();
        qp.drainedPerhaps();
    }

    /** Returns the number of payload bytes of the next packet. */
    private long payload(SendWqe wqe) {
        return Math.min(mtu, wqe.outgoing() - wqe.progress * mtu);
    }

    private int sendPacket(SendQueue sq, SendWqe wqe) {
        boolean last = true;
        if (wqe.isLocal()) {
            int status = qp.execute(wqe);
            if (status != WcStatus.SUCCESS) {
                return status;
            }
        } else {
            int index = (int) wqe.progress;
            if (index == 0 && wqe.data.total() > mtu && !wqe.data.isAllowed(qp.keys(), qp.pd(), false)) {
                return WcStatus.LOC_PROT_ERR; // before any of it is sent
            }
            if (!writer.writeData(wqe, index, sqPsn, false)) {
                return WcStatus.LOC_PROT_ERR;
            }
            qp.sent(payload(wqe));
            wqe.started = true;
            wqe.progress++;
            sqPsn = PsnMath.next(sqPsn);
            last = index + 1 == Psn.packets(wqe.data.total(), mtu);
        }
        if (last) {
            sq.advanceNext();
            qp.completeSend(WcStatus.SUCCESS, (int) wqe.data.total());
        }
        return WcStatus.SUCCESS;
    }

    @Override
    public void flush() {
        if (begun && (qp.state() == QpState.RTS || qp.state() == QpState.SQD)) {
            run(); // continues where a turn has ended
        }
    }

    @Override
    public void onTimer(long now, long seen) {
        flush(); // more may be sent now
    }

    // ---- receiving

    @Override
    boolean isFromPeer(Packet packet) {
        return peer.allows(packet);
    }

    @Override
    public void onPacket(Packet packet) {
        synchronized (qp.recvLock) {
            if (stopped || !qp.isReceiving()) {
                counters.count(TransportCounters.WRONG_STATE);
            } else {
                receive(packet);
            }
        }
    }

    private void receive(Packet packet) {
        boolean start = Opcode.isStart(packet.opcode());
        if (start) {
            // A new message can be whole whatever was lost before. It uses the receive work request of the old one.
            dropping = false;
            if (message.isUnderWay()) {
                counters.count(TransportCounters.BAD_MESSAGE);
                message.abandon();
            }
        } else if (dropping || packet.psn() != expected) {
            drop(TransportCounters.BAD_MESSAGE);
            return;
        }
        qp.noteCommunication();
        expected = PsnMath.next(packet.psn());
        switch (message.accept(packet)) {
            case InboundMessage.OK -> {}
            case InboundMessage.NOT_READY -> drop(TransportCounters.NO_RECEIVE);
            case InboundMessage.TOO_LONG -> drop(TransportCounters.TOO_LONG);
            case InboundMessage.PROTECTION -> fail(WcStatus.LOC_PROT_ERR);
            default -> drop(TransportCounters.BAD_MESSAGE); // not reported to anyone: unreliable
        }
    }

    private void drop(int counter) {
        counters.count(counter);
        dropping = true;
        message.abandon();
    }

    private void fail(int status) {
        stopped = true;
        message.fail(status);
        qp.enterErrorSoon();
    }

    @Override
    boolean wantsBurstEnd() {
        return false;
    }

    @Override
    boolean burstEnded(boolean polled) {
        return false; // nothing is answered
    }

    @Override
    public void stop() {
        out.flush();
        if (qp.state() == QpState.SQE) {
            return; // continues to receive
        }
        synchronized (qp.recvLock) {
            stopped = true;
            if (qp.state() == QpState.ERR) {
                message.fail(WcStatus.WR_FLUSH_ERR);
            } else {
                message.forget();
            }
        }
    }

    @Override
    public int sqPsn() {
        return begun ? sqPsn : qp.settings().firstSqPsn();
    }

    @Override
    public int rqPsn() {
        return expected;
    }
}
