/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import io.verbs4j.Gid;
import io.verbs4j.QpState;
import io.verbs4j.SendFlags;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.link.TxBatch;
import io.verbs4j.provider.rxe.local.GrhWriter;
import io.verbs4j.provider.rxe.local.LocalDatagrams;
import io.verbs4j.provider.rxe.memory.IntTable;
import io.verbs4j.provider.rxe.qp.AddressVector;
import io.verbs4j.provider.rxe.qp.RxeAddressHandle;
import io.verbs4j.provider.rxe.qp.RxeQp;
import io.verbs4j.provider.rxe.queue.CrossRequest;
import io.verbs4j.provider.rxe.queue.RecvQueue;
import io.verbs4j.provider.rxe.queue.RecvWqe;
import io.verbs4j.provider.rxe.queue.ScatterList;
import io.verbs4j.provider.rxe.queue.SendQueue;
import io.verbs4j.provider.rxe.queue.SendWqe;
import io.verbs4j.provider.rxe.wire.Bth;
import io.verbs4j.provider.rxe.wire.Deth;
import io.verbs4j.provider.rxe.wire.ImmDt;
import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.provider.rxe.wire.Packet;
import io.verbs4j.provider.rxe.wire.PsnMath;
import java.util.List;

/** UD: sends datagrams, without packets within this JVM if possible. */
final class UdPath extends PacketPath {
    /** Queue pair number that datagrams to a group are sent to. */
    static final int MULTICAST_QPN = 0xff_ffff;

    private static final int UDP_HEADER = 8;
    private static final int UNKNOWN_HOP_LIMIT = 64; // sockets don't reveal it

    private final List<Gid> localGids;
    private final IntTable<RxeQp> localQps;
    private final UdOutputs outputs;
    private final TransportCounters counters;

    // Guarded by the send lock.
    private final LocalDatagrams local = new LocalDatagrams();
    private int sqPsn;
    private boolean begun;

    // Guarded by the receive lock.
    private final GrhWriter grh = new GrhWriter();
    private boolean stopped;

    UdPath(RxeQp qp, PacketHost port, UdOutputs outputs, TransportCounters counters) {
        super(qp);
        this.localGids = port.localGids();
        this.localQps = port.queuePairs();
        this.outputs = outputs;
        this.counters = counters;
    }

    // ---- sending

    @Override
    public void run() {
        if (!begun) {
            begun = true;
            sqPsn = qp.settings().firstSqPsn() & PsnMath.MAX;
        }
        SendQueue sq = qp.sendQueue();
        while (sq.next() < sq.ready() && qp.state() == QpState.RTS) {
            SendWqe wqe = sq.at(sq.next());
            long delay = qp.sendDelay(wqe.outgoing());
            if (delay > 0) {
                qp.wakeAt(qp.now() + delay);
                break;
            }
            int status = wqe.isLocal() ? qp.execute(wqe) : send(wqe) ? WcStatus.SUCCESS : WcStatus.LOC_PROT_ERR;
            if (status == CrossRequest.WAITS) {
                break;
            }
            if (status != WcStatus.SUCCESS) {
                outputs.flush();
                qp.failSend(status);
                return;
            }
            if (!wqe.isLocal()) {
                qp.sent(wqe.outgoing());
                sqPsn = PsnMath.next(sqPsn);
            }
            sq.advanceNext();
            qp.completeSend(WcStatus.SUCCESS, (int) wqe.data.total());
        }
        outputs.flush();
        qp.drainedPerhaps();
    }

    private boolean send(SendWqe wqe) {
        AddressVector av = ((RxeAddressHandle) wqe.ah).av;
        if (!localGids.contains(av.destination())) {
            return sendPacket(wqe, av);
        }
        if (!wqe.data.isAllowed(qp.keys(), qp.pd(), false)) {
            return false;
        }
        RxeQp to = localQps.get(wqe.remoteQpn);
        if (to == null || to.qpType() != qp.qpType()) {
            counters.count(to == null ? TransportCounters.UNKNOWN_QP : TransportCounters.WRONG_SERVICE);
        } else {
            return local.deliver(qp, wqe, to, av.destination());
        }
        return true;
    }

    private boolean sendPacket(SendWqe wqe, AddressVector av) {
        boolean immediate = wqe.opcode == WrOpcode.SEND_WITH_IMM;
        int opcode = immediate ? Opcode.UD_SEND_ONLY_WITH_IMM : Opcode.UD_SEND_ONLY;
        int payload = (int) wqe.data.total();
        int pad = -payload & 3;
        int headers = Opcode.headerLength(opcode);
        int length = headers + payload + pad;
        outputs.reach(av, qp.now());
        TxBatch batch = outputs.batch(av.source());
        if (batch == null) {
            // The address is not available here: the datagram is lost, as if by the network.
            return wqe.data.isAllowed(qp.keys(), qp.pd(), false);
        }
        int at = batch.begin(av.destination().subnetPrefix(), av.destination().interfaceId(), length);
        long data = batch.bufferAddress() + at + headers;
        if (payload > 0 && wqe.data.gather(qp.keys(), qp.pd(), 0, data, payload) != ScatterList.OK) {
            return false;
        }
        boolean solicited = wqe.has(SendFlags.SOLICITED);
        Bth.write(batch.buffer(), at, opcode, solicited, false, pad, Bth.DEFAULT_PKEY, wqe.remoteQpn, false, sqPsn);
        // A key with its top bit set can't be sent: it stands for the queue pair's own.
        int qkey = wqe.remoteQkey < 0 ? qp.settings().qkey() : wqe.remoteQkey;
        Deth.write(batch.buffer(), at + Bth.LENGTH, qkey, qp.qpNum());
        if (immediate) {
            ImmDt.write(batch.buffer(), at + headers - ImmDt.LENGTH, wqe.immData);
        }
        for (int i = length - pad; i < length; i++) {
            batch.buffer().put(at + i, (byte) 0);
        }
        batch.end(length);
        return true;
    }

    @Override
    public void onTimer(long now, long seen) {
        run(); // more may be sent now
    }

    // ---- receiving

    @Override
    boolean isFromPeer(Packet packet) {
        return true; // anyone may send
    }

    @Override
    public void onPacket(Packet packet) {
        synchronized (qp.recvLock) {
            if (stopped || !qp.isReceiving()) {
                counters.count(TransportCounters.WRONG_STATE);
            } else if (packet.qkey() != qp.settings().qkey()) {
                counters.count(TransportCounters.WRONG_QKEY);
            } else {
                receive(packet);
            }
        }
    }

    private void receive(Packet packet) {
        RecvWqe wqe = qp.datagramWqe();
        int bytes = packet.payloadLength();
        int taken = qp.takeReceive(wqe, GrhWriter.LENGTH + bytes);
        if (taken != RecvQueue.TAKEN) {
            // Anyone may send a datagram that does not fit, so it ends nothing and does not consume the receive.
            counters.count(taken == RecvQueue.EMPTY ? TransportCounters.NO_RECEIVE : TransportCounters.TOO_LONG);
            return;
        }
        int status = deliver(packet, wqe, bytes) ? WcStatus.SUCCESS : WcStatus.LOC_PROT_ERR;
        qp.noteCommunication();
        boolean immediate = Opcode.hasImmDt(packet.opcode());
        qp.completeReceive(
                wqe,
                status,
                WcOpcode.RECV,
                GrhWriter.LENGTH + bytes,
                WcFlags.GRH | (immediate ? WcFlags.WITH_IMM : 0),
                immediate ? packet.immData() : 0,
                packet.srcQpn(),
                packet.solicited());
        if (status != WcStatus.SUCCESS) {
            stopped = true;
            qp.enterErrorSoon();
        }
    }

    private boolean deliver(Packet packet, RecvWqe wqe, int bytes) {
        long header = grh.write(
                packet.sourceGidHigh(),
                packet.sourceGidLow(),
                packet.destinationGidHigh(),
                packet.destinationGidLow(),
                UDP_HEADER + packet.length(),
                0,
                0,
                UNKNOWN_HOP_LIMIT);
        long data = packet.payload();
        return wqe.data.scatter(qp.keys(), qp.pd(), 0, header, GrhWriter.LENGTH) == ScatterList.OK
                && wqe.data.scatter(qp.keys(), qp.pd(), GrhWriter.LENGTH, data, bytes) == ScatterList.OK;
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
        outputs.flush();
        if (qp.state() != QpState.SQE) { // SQE continues to receive
            synchronized (qp.recvLock) {
                stopped = true;
            }
        }
    }

    @Override
    public int sqPsn() {
        return begun ? sqPsn : qp.settings().firstSqPsn();
    }

    @Override
    public int rqPsn() {
        return 0; // datagrams have no order
    }
}
