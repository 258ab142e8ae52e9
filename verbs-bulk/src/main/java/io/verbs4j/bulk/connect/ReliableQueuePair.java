/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.connect;

import io.verbs4j.AccessFlags;
import io.verbs4j.AhAttr;
import io.verbs4j.Context;
import io.verbs4j.DeviceAttr;
import io.verbs4j.DeviceTraits;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QueuePair;
import java.security.SecureRandom;
import java.util.function.Consumer;

/** A queue pair of type RC that this side takes from RESET to RTS by itself. */
final class ReliableQueuePair implements LocalQueuePair {
    private static final SecureRandom RANDOM = new SecureRandom();

    /** 4.096 us * 2^14: packets that are not acknowledged for 67 ms are sent again. */
    private static final int ACK_TIMEOUT = 14;

    private static final int RETRIES = 7;

    /** Unlimited, but unlikely to be used, because messages need credits. */
    private static final int RNR_RETRIES = 7;

    /** 0.64 ms. */
    private static final int RNR_TIMER = 12;

    private static final int MAX_READS = 0xff;

    private final Context context;
    private final LocalPort port;
    private final QueuePair qp;
    private final QueuePairAddress own;
    private final int ownKey;

    /** Creates the queue pair, takes it to INIT and prepares it. */
    ReliableQueuePair(ConnectionSide side, LocalPort port) {
        this(side.pd(), side.attr(), side.hello().ringKey(), port, side.prepare());
    }

    /**
     * Does the same without a hello.
     *
     * @param ringKey the key of this side's memory for messages, or 0
     * @param prepare receives the queue pair before it is connected
     */
    ReliableQueuePair(ProtectionDomain pd, QpInitAttr attr, int ringKey, LocalPort port, Consumer<QueuePair> prepare) {
        context = pd.context();
        this.port = port;
        ownKey = ringKey;
        DeviceAttr device = context.queryDevice();
        boolean reads = (context.queryDeviceEx().sendOpsRc() & QpCreateSendOps.RDMA_READ) != 0;
        qp = pd.createQp(attr);
        boolean done = false;
        try {
            qp.modify(new QpAttr()
                    .qpState(QpState.INIT)
                    .pkeyIndex(0)
                    .portNum(port.number())
                    .qpAccessFlags(AccessFlags.REMOTE_WRITE | (reads ? AccessFlags.REMOTE_READ : 0)));
            own = QueuePairAddress.reliable(
                    port,
                    qp.qpNum(), // some devices have none before INIT
                    RANDOM.nextInt(QueuePairAddress.MAX_24_BITS + 1),
                    reads ? Math.min(device.maxQpRdAtom(), MAX_READS) : 0,
                    reads ? Math.min(device.maxQpInitRdAtom(), MAX_READS) : 0);
            prepare.accept(qp);
            done = true;
        } finally {
            if (!done) {
                qp.close();
            }
        }
    }

    @Override
    public QueuePairAddress address() {
        return own;
    }

    @Override
    public void receive(QueuePairAddress peer, int key) {
        if (peer.isDatagrams()) {
            throw LocalPort.refused("the peer's is for datagrams, and this side's is not");
        }
        AhAttr path = port.pathTo(peer);
        require(key);
        qp.modify(new QpAttr()
                .qpState(QpState.RTR)
                .ahAttr(path)
                .pathMtu(Math.min(own.mtu(), peer.mtu()))
                .destQpNum(peer.qpNum())
                .rqPsn(peer.psn())
                .maxDestRdAtomic(Math.min(own.answers(), peer.reads()))
                .minRnrTimer(RNR_TIMER));
    }

    private void require(int key) {
        boolean one = (context.queryDeviceEx().deviceTraits() & DeviceTraits.KEYS_BY_CONNECTION) != 0;
        if (one && key != 0 && key != ownKey) {
            throw LocalPort.refused("a connection of " + context.device() + " has one key for both sides, and the"
                    + " peer's is " + Integer.toHexString(key) + ", not " + Integer.toHexString(ownKey)
                    + "; open both devices with the same key");
        }
    }

    @Override
    public void send(QueuePairAddress peer) {
        qp.modify(new QpAttr()
                .qpState(QpState.RTS)
                .timeout(ACK_TIMEOUT)
                .retryCnt(RETRIES)
                .rnrRetry(RNR_RETRIES)
                .sqPsn(own.psn())
                .maxRdAtomic(Math.min(own.reads(), peer.answers())));
    }

    @Override
    public void close() {
        qp.close();
    }
}
