/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.datagram;

import io.verbs4j.AccessFlags;
import io.verbs4j.AddressHandle;
import io.verbs4j.AhAttr;
import io.verbs4j.CompletionQueue;
import io.verbs4j.MemoryRegion;
import io.verbs4j.Mtu;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpCap;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.Resources;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendFlags;
import io.verbs4j.bulk.strategy.Abilities;
import io.verbs4j.bulk.strategy.PostBatch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A datagram queue pair that talks to one other queue pair. It is of type UD, or of the vendor's own type, which loses
 * no datagram and may access the peer's memory. Each request has a completion; its identifier is the one given at
 * creation, with the place in its low bits.
 */
public final class QueuePairWire implements Wire, AutoCloseable {
    /** Size of the header that a device puts before each UD datagram. */
    private static final int GRH = 40;

    private final Resources resources = new Resources();
    private final ProtectionDomain pd;
    private final QueuePair qp;
    private final PostBatch batch;
    private final ByteBuffer headers;
    private final ByteBuffer received;
    private final MemoryRegion headerRegion;
    private final RecvWorkRequest[] receives;
    private final Abilities abilities;
    private final int mtu;

    /** Number of bytes before a datagram. */
    private final int before;

    private final int sends;
    private final long sendId;
    private AddressHandle peer;
    private int peerNumber;
    private int peerKey;

    /**
     * Creates a queue pair that can receive.
     *
     * @param pd protection domain of the queue pair and its memory
     * @param abilities abilities of the device
     * @param cq its completion queue, with enough room
     * @param port number of its port
     * @param qkey Q_Key for datagrams to it
     * @param sends send queue size in datagrams
     * @param receives number of receives
     * @param sendId identifier of sends, without the place
     * @param receiveId identifier of receives, without the place
     */
    public QueuePairWire(
            ProtectionDomain pd,
            Abilities abilities,
            CompletionQueue cq,
            int port,
            int qkey,
            int sends,
            int receives,
            long sendId,
            long receiveId) {
        this.pd = pd;
        this.abilities = abilities;
        boolean lossless = abilities.has(Abilities.LOSSLESS);
        before = lossless ? 0 : GRH;
        this.sends = sends;
        this.sendId = sendId;
        mtu = Mtu.toBytes(pd.context().queryPort(port).activeMtu());
        headers = memory(sends * PacketSender.HEADER_STRIDE);
        received = memory(receives * (mtu + before));
        this.receives = new RecvWorkRequest[receives];
        boolean done = false;
        try {
            headerRegion = resources.add(pd.regMr(headers, 0));
            MemoryRegion region = resources.add(pd.regMr(received, AccessFlags.LOCAL_WRITE));
            QpInitAttr attr = new QpInitAttr()
                    .qpType(lossless ? QpType.DRIVER : QpType.UD)
                    .sendCq(cq)
                    .recvCq(cq)
                    .cap(new QpCap()
                            .maxSendWr(sends)
                            .maxSendSge(2)
                            .maxRecvWr(receives)
                            .maxRecvSge(1));
            qp = resources.add(lossless ? withOperations(attr) : pd.createQp(attr));
            qp.modify(new QpAttr()
                    .qpState(QpState.INIT)
                    .portNum(port)
                    .pkeyIndex(0)
                    .qkey(qkey));
            qp.modify(new QpAttr().qpState(QpState.RTR));
            qp.modify(new QpAttr().qpState(QpState.RTS).sqPsn(0));
            for (int i = 0; i < receives; i++) {
                this.receives[i] = new RecvWorkRequest()
                        .wrId(receiveId | i)
                        .sgList(ScatterGatherElement.of(region, (long) i * (mtu + before), mtu + before));
            }
            done = true;
        } finally {
            if (!done) {
                resources.close();
            }
        }
        batch = new PostBatch(qp);
    }

    private QueuePair withOperations(QpInitAttr attr) {
        long operations = QpCreateSendOps.SEND
                | (abilities.has(Abilities.DATAGRAM_WRITE) ? QpCreateSendOps.RDMA_WRITE : 0)
                | (abilities.has(Abilities.DATAGRAM_READ) ? QpCreateSendOps.RDMA_READ : 0);
        return pd.context().createQpEx(QpInitAttrEx.of(pd, attr).sendOpsFlags(operations));
    }

    private static ByteBuffer memory(int size) {
        return ByteBuffer.allocateDirect(size).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Number of the queue pair. */
    public int number() {
        return qp.qpNum();
    }

    /** Sets the queue pair that datagrams go to, before the first one is sent. */
    public void connect(AhAttr address, int number, int qkey) {
        peer = resources.add(pd.createAh(address));
        peerNumber = number;
        peerKey = qkey;
    }

    @Override
    public ByteBuffer headers() {
        return headers;
    }

    @Override
    public ByteBuffer received() {
        return received;
    }

    @Override
    public int receivedAt(int place) {
        return place * (mtu + before) + before;
    }

    /** Returns the size of a datagram, given the number of bytes in its receive. */
    public int length(int count) {
        return count - before;
    }

    @Override
    public boolean isLossless() {
        return abilities.has(Abilities.LOSSLESS);
    }

    @Override
    public int sends() {
        return sends;
    }

    @Override
    public int receives() {
        return receives.length;
    }

    @Override
    public int mtu() {
        return mtu;
    }

    @Override
    public int send(int place, int headerLength, int lkey, long address, int length) {
        SendBuilder builder = batch.next();
        long header = headerRegion.addr() + (long) place * PacketSender.HEADER_STRIDE;
        builder.send(sendId | place, SendFlags.SIGNALED).sge(headerRegion.lkey(), header, headerLength);
        if (length > 0) {
            builder.sge(lkey, address, length);
        }
        builder.udAddr(peer, peerNumber, peerKey);
        return 0;
    }

    @Override
    public int write(int place, int lkey, long address, int length, int rkey, long remoteAddress) {
        SendBuilder builder = batch.next();
        builder.write(sendId | place, SendFlags.SIGNALED, rkey, remoteAddress, lkey, address, length);
        builder.udAddr(peer, peerNumber, peerKey);
        return 0;
    }

    @Override
    public int read(int place, int lkey, long address, int length, int rkey, long remoteAddress) {
        SendBuilder builder = batch.next();
        builder.read(sendId | place, SendFlags.SIGNALED, rkey, remoteAddress, lkey, address, length);
        builder.udAddr(peer, peerNumber, peerKey);
        return 0;
    }

    @Override
    public int flush() {
        return batch.flush();
    }

    @Override
    public int receive(int place) {
        return qp.postRecv(receives[place]);
    }

    @Override
    public void fail() {
        batch.fail();
    }

    /** Closes the queue pair and deregisters its memory. */
    @Override
    public void close() {
        resources.close();
    }
}
