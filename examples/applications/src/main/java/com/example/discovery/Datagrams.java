/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.discovery;

import com.example.rdma.ActivePort;
import io.verbs4j.AccessFlags;
import io.verbs4j.AddressHandle;
import io.verbs4j.AhAttr;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.MemoryRegion;
import io.verbs4j.Mtu;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.Resources;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WaitingQueue;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A queue pair for datagrams, with its memory. For one thread. */
final class Datagrams implements AutoCloseable {
    /** In front of each datagram that is received, whether or not its sender has written one. */
    private static final int GRH = 40;

    /** Stands for all queue pairs that are attached to the group. */
    private static final int ALL_OF_THE_GROUP = 0xffffff;

    /**
     * A datagram reaches queue pairs of the same Q_Key only. With the highest bit it would be one for the privileged.
     */
    private static final int QKEY = 0x0d15c0;

    private static final int RECEIVES = 64;

    private final Resources resources = new Resources();
    private final ActivePort port;
    private final Context context;
    private final ProtectionDomain pd;
    private final WaitingQueue received;
    private final CompletionQueue sent;
    private final QueuePair qp;
    private final int payload;
    private final ByteBuffer memory;
    private final MemoryRegion region;

    private final SendWorkRequest send = new SendWorkRequest();
    private final RecvWorkRequest recv = new RecvWorkRequest();
    private final ScatterGatherElement element = new ScatterGatherElement();
    private final WorkCompletion[] completion = {new WorkCompletion()};

    /**
     * A datagram that was received.
     *
     * @param payload what was sent
     * @param sender the way back
     * @param senderQpNum the sender's queue pair
     */
    record Received(ByteBuffer payload, AhAttr sender, int senderQpNum) {}

    Datagrams(Context context, ActivePort port) {
        this.context = context;
        this.port = port;
        payload = Mtu.toBytes(port.mtu());
        try {
            pd = resources.add(context.allocPd());
            memory = ByteBuffer.allocateDirect(RECEIVES * (GRH + payload) + payload);
            region = resources.add(pd.regMr(memory, AccessFlags.LOCAL_WRITE));
            element.lkey(region.lkey());
            received = resources.add(new WaitingQueue(context, RECEIVES));
            sent = resources.add(context.createCq(1));
            QpCap cap = new QpCap().maxSendWr(1).maxSendSge(1).maxRecvWr(RECEIVES).maxRecvSge(1);
            qp = resources.add(pd.createQp(
                    new QpInitAttr().qpType(QpType.UD).sendCq(sent).recvCq(received.cq()).cap(cap)));
            // No peer: a queue pair for datagrams gets ready by itself.
            qp.modify(new QpAttr()
                    .qpState(QpState.INIT)
                    .portNum(port.number())
                    .pkeyIndex(0)
                    .qkey(QKEY));
            for (int i = 0; i < RECEIVES; i++) {
                postReceive(i);
            }
            qp.modify(new QpAttr().qpState(QpState.RTR));
            qp.modify(new QpAttr().qpState(QpState.RTS).sqPsn(0));
        } catch (RuntimeException e) {
            resources.close();
            throw e;
        }
    }

    /** Bytes that a datagram may have: those of one packet. */
    int maxPayload() {
        return payload;
    }

    /** Receives what is sent to a group, from now on; closing the queue pair needs it left. */
    void join(Gid group) {
        qp.attachMcast(group, 0);
        resources.add(() -> qp.detachMcast(group, 0));
    }

    /** Sends to all of a group. */
    void sendToGroup(Gid group, Message message) {
        send(port.pathTo(group, 0), ALL_OF_THE_GROUP, message.encode());
    }

    /** Sends to who has sent a datagram. */
    void reply(Received received, Message message) {
        send(received.sender(), received.senderQpNum(), message.encode());
    }

    /**
     * Sends a datagram. That it has gone does not mean that it arrives. A program that sends much to the same place
     * keeps the address handle.
     */
    private void send(AhAttr to, int qpNum, ByteBuffer datagram) {
        int length = datagram.remaining();
        int offset = RECEIVES * (GRH + payload);
        memory.put(offset, datagram, datagram.position(), length);
        try (AddressHandle ah = pd.createAh(to)) {
            element.addr(region.addr() + offset).length(length);
            check(qp.postSend(send.opcode(WrOpcode.SEND)
                    .sendFlags(SendFlags.SIGNALED)
                    .sgList(element)
                    .ah(ah)
                    .remoteQpn(qpNum)
                    .remoteQkey(QKEY)));
            while (sent.poll(1, completion) == 0) {
                Thread.onSpinWait();
            }
            if (completion[0].status() != WcStatus.SUCCESS) {
                throw new IllegalStateException("send: " + completion[0]);
            }
        }
    }

    /** Waits for a datagram. */
    Optional<Received> receive(long timeout, TimeUnit unit) {
        if (received.await(completion, timeout, unit) == 0) {
            return Optional.empty();
        }
        WorkCompletion wc = completion[0];
        if (wc.status() != WcStatus.SUCCESS) {
            throw new IllegalStateException("receive: " + wc);
        }
        int slot = (int) wc.wrId();
        ByteBuffer header = memory.slice(offsetOf(slot), GRH);
        AhAttr sender = context.initAhFromWc(port.number(), wc, header);
        ByteBuffer copy = ByteBuffer.allocate(wc.byteLen() - GRH); // the length counts the header
        copy.put(0, memory, offsetOf(slot) + GRH, copy.capacity());
        postReceive(slot);
        return Optional.of(new Received(copy, sender, wc.srcQp()));
    }

    private void postReceive(int slot) {
        element.addr(region.addr() + offsetOf(slot)).length(GRH + payload);
        check(qp.postRecv(recv.wrId(slot).sgList(element)));
    }

    private int offsetOf(int slot) {
        return slot * (GRH + payload);
    }

    private static void check(int errno) {
        if (errno != 0) {
            throw new IllegalStateException(Errno.toString(errno));
        }
    }

    @Override
    public void close() {
        resources.close();
    }
}
