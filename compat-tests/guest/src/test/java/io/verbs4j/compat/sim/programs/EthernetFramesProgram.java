/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sim.programs;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompletionQueue;
import io.verbs4j.CounterAttachAttr;
import io.verbs4j.CounterDescription;
import io.verbs4j.Counters;
import io.verbs4j.CountersInitAttr;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.Flow;
import io.verbs4j.FlowAttr;
import io.verbs4j.FlowSpecActionCount;
import io.verbs4j.FlowSpecActionDrop;
import io.verbs4j.FlowSpecActionTag;
import io.verbs4j.FlowSpecEth;
import io.verbs4j.FlowSpecTcpUdp;
import io.verbs4j.MemoryRegion;
import io.verbs4j.QpAttr;
import io.verbs4j.QpCap;
import io.verbs4j.QpCreateFlags;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.RwqIndTable;
import io.verbs4j.RwqIndTableInitAttr;
import io.verbs4j.RxHashConf;
import io.verbs4j.RxHashFields;
import io.verbs4j.RxHashFunction;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcExFlags;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WorkQueue;
import io.verbs4j.WqAttr;
import io.verbs4j.WqInitAttr;
import io.verbs4j.WqState;
import io.verbs4j.WrOpcode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Sends frames from port 2 of a device to port 1, and prints which queue they reach. Ends with an exception if that is
 * wrong.
 */
public final class EthernetFramesProgram extends SimulatedRig {
    private static final byte[] MAC = {2, 0, 0, 0, 0, 9};
    private static final int SIZE = 4096;
    private static final int SLOTS = 64;
    private static final int FIRST_SEND = 48;
    private static final int MSS = 1000;
    private static final int QUEUES = 4;
    private static final int VLAN = 0x6123; // with a priority

    private final ByteBuffer memory = ByteBuffer.allocateDirect(SLOTS * SIZE);
    private final MemoryRegion mr = opened(pd.regMr(memory, AccessFlags.LOCAL_WRITE));
    private final CompletionQueue sends = opened(context.createCq(64));
    private final QueuePair sender = opened(queuePair(sends, 2, 0));
    private int slots;
    private int sent;

    private EthernetFramesProgram() {}

    public static void main(String[] args) {
        for (Consumer<EthernetFramesProgram> shown : List.<Consumer<EthernetFramesProgram>>of(
                EthernetFramesProgram::steered,
                EthernetFramesProgram::spread,
                EthernetFramesProgram::segmented,
                EthernetFramesProgram::segmentedEverywhere,
                EthernetFramesProgram::stripped)) {
            EthernetFramesProgram frames = new EthernetFramesProgram();
            shown.accept(frames);
            frames.end();
        }
        System.out.println("frames ok");
    }

    // ---- queues

    private CompletionQueue completions() {
        return opened(context.createCqEx(new CqInitAttrEx().cqe(64).wcFlags(WcExFlags.STANDARD | WcExFlags.FLOW_TAG)));
    }

    private QueuePair queuePair(CompletionQueue cq, int port, int flags) {
        QueuePair qp = context.createQpEx(new QpInitAttrEx()
                .createFlags(flags)
                .qpType(QpType.RAW_PACKET)
                .pd(pd)
                .sendCq(cq)
                .recvCq(cq)
                .maxTsoHeader(64)
                .cap(new QpCap().maxSendWr(16).maxSendSge(1).maxRecvWr(16).maxRecvSge(1)));
        qp.modify(new QpAttr().qpState(QpState.INIT).portNum(port));
        qp.modify(new QpAttr().qpState(QpState.RTR));
        qp.modify(new QpAttr().qpState(QpState.RTS));
        return qp;
    }

    private RecvWorkRequest receive() {
        int slot = slots++;
        return new RecvWorkRequest().wrId(slot).sgList(sge(slot, SIZE));
    }

    private ScatterGatherElement sge(int slot, int length) {
        return new ScatterGatherElement()
                .addr(mr.addr() + (long) slot * SIZE)
                .length(length)
                .lkey(mr.lkey());
    }

    private QueuePair receiver(CompletionQueue cq) {
        return receiver(cq, 0);
    }

    private QueuePair receiver(CompletionQueue cq, int flags) {
        QueuePair qp = opened(queuePair(cq, 1, flags));
        for (int i = 0; i < 8; i++) {
            require(qp.postRecv(receive()) == 0, "a receive was refused");
        }
        return qp;
    }

    private static WorkCompletion next(CompletionQueue cq) {
        WorkCompletion wc = next(cq, "no completion");
        require(wc.status() == WcStatus.SUCCESS, WcStatus.toString(wc.status()));
        return wc;
    }

    private static void none(CompletionQueue cq) {
        require(cq.poll(1, new WorkCompletion[] {new WorkCompletion()}) == 0, "an unexpected frame arrived");
    }

    private ByteBuffer newFrame() {
        return memory.duplicate()
                .position((FIRST_SEND + sent++ % (SLOTS - FIRST_SEND)) * SIZE)
                .slice();
    }

    private void send(ByteBuffer frame) {
        SendWorkRequest wr = new SendWorkRequest().wrId(sent).opcode(WrOpcode.SEND);
        int slot = FIRST_SEND + (sent - 1) % (SLOTS - FIRST_SEND);
        require(
                sender.postSend(wr.sendFlags(SendFlags.SIGNALED | SendFlags.IP_CSUM)
                                .sgList(sge(slot, frame.position())))
                        == 0,
                "a send was refused");
        next(sends);
    }

    /** The frame arrived as it was sent, with the right checksums filled in. */
    private void arrived(WorkCompletion wc, ByteBuffer sentFrame, boolean udp) {
        ByteBuffer found = memory.duplicate().position((int) wc.wrId() * SIZE).slice();
        require(wc.byteLen() == sentFrame.position(), "it has " + wc.byteLen() + " bytes");
        int transport = Frames.IP + Frames.IP_LENGTH;
        int checksum = transport + (udp ? Frames.UDP_CHECKSUM : Frames.TCP_CHECKSUM);
        for (int i = 0; i < wc.byteLen(); i++) {
            boolean filled = i / 2 == (Frames.IP + Frames.IP_CHECKSUM) / 2 || i / 2 == checksum / 2;
            require(filled || found.get(i) == sentFrame.get(i), "byte " + i + " differs");
        }
        Frames.check(found, wc.byteLen());
    }

    // ---- tests

    /** Steers by priority and tag; drops and counts frames. */
    private void steered() {
        CompletionQueue first = completions();
        CompletionQueue second = completions();
        QueuePair narrow = receiver(first);
        QueuePair wide = receiver(second);
        Counters counters = opened(context.createCounters(new CountersInitAttr()));
        counters.attach(
                new CounterAttachAttr().counterDesc(CounterDescription.PACKETS).index(0));
        counters.attach(
                new CounterAttachAttr().counterDesc(CounterDescription.BYTES).index(1));
        opened(wide.createFlow(
                new FlowAttr().port(1).priority(2).specs(new FlowSpecEth().dstMac(MAC), new FlowSpecActionTag(0x22))));
        opened(narrow.createFlow(new FlowAttr()
                .port(1)
                .priority(1)
                .specs(
                        new FlowSpecEth().dstMac(MAC),
                        FlowSpecTcpUdp.udp().dstPort(4000),
                        new FlowSpecActionTag(0x11),
                        new FlowSpecActionCount(counters))));
        Flow drop = wide.createFlow(new FlowAttr()
                .port(1)
                .priority(0)
                .specs(new FlowSpecEth().dstMac(MAC), FlowSpecTcpUdp.udp().dstPort(5000), new FlowSpecActionDrop()));

        long bytes = 0;
        for (int length : new int[] {0, 33, 1400}) {
            ByteBuffer frame = Frames.udp(newFrame(), MAC, 1234, 4000, length);
            send(frame);
            WorkCompletion wc = next(first);
            require(wc.flowTag() == 0x11, "tag " + wc.flowTag());
            require((wc.wcFlags() & WcFlags.IP_CSUM_OK) != 0, "the completion does not report correct checksums");
            arrived(wc, frame, true);
            bytes += frame.position();
        }
        ByteBuffer other = Frames.udp(newFrame(), MAC, 1234, 4001, 70);
        send(other);
        WorkCompletion wc = next(second);
        require(wc.flowTag() == 0x22, "tag " + wc.flowTag());
        arrived(wc, other, true);
        send(Frames.udp(newFrame(), MAC, 1234, 5000, 70));
        send(Frames.udp(newFrame(), new byte[] {2, 0, 0, 0, 0, 8}, 1234, 4000, 70));
        drop.close();
        ByteBuffer again = Frames.udp(newFrame(), MAC, 1234, 5000, 71);
        send(again);
        arrived(next(second), again, true);
        none(first);
        none(second);
        long[] values = new long[2];
        counters.read(values, 0);
        require(values[0] == 3 && values[1] == bytes, values[0] + " frames of " + values[1] + " bytes, not " + bytes);
        System.out.println("steered ok");
    }

    /** Each frame goes to the queue chosen by the hash of its addresses and ports. */
    private void spread() {
        CompletionQueue cq = completions();
        List<WorkQueue> queues = new ArrayList<>();
        int[] queueOf = new int[SLOTS];
        for (int i = 0; i < QUEUES; i++) {
            WorkQueue wq = opened(
                    context.createWq(new WqInitAttr().maxWr(16).maxSge(1).pd(pd).cq(cq)));
            wq.modify(new WqAttr().wqState(WqState.RDY));
            for (int k = 0; k < 12; k++) {
                queueOf[slots] = i;
                require(wq.postRecv(receive()) == 0, "a receive was refused");
            }
            queues.add(wq);
        }
        RwqIndTable table =
                opened(context.createRwqIndTable(new RwqIndTableInitAttr().indTbl(queues.toArray(new WorkQueue[0]))));
        QueuePair qp = opened(context.createQpEx(new QpInitAttrEx()
                .qpType(QpType.RAW_PACKET)
                .pd(pd)
                .rwqIndTbl(table)
                .rxHashConf(new RxHashConf()
                        .rxHashFunction(RxHashFunction.TOEPLITZ)
                        .rxHashKey(Frames.hashKey())
                        .rxHashFieldsMask(RxHashFields.SRC_IPV4
                                | RxHashFields.DST_IPV4
                                | RxHashFields.SRC_PORT_UDP
                                | RxHashFields.DST_PORT_UDP))));
        opened(qp.createFlow(new FlowAttr().port(1).specs(new FlowSpecEth().dstMac(MAC))));
        int seen = 0;
        for (int i = 0; i < 12; i++) {
            ByteBuffer frame = Frames.udp(newFrame(), MAC, 1000 + 37 * i, 4000, 20 + i);
            send(frame);
            WorkCompletion wc = next(cq);
            int expected = Frames.hash(frame) & QUEUES - 1;
            int found = queueOf[(int) wc.wrId()];
            require(found == expected, "frame " + i + " went to queue " + found + ", not " + expected);
            arrived(wc, frame, true);
            seen |= 1 << found;
        }
        require(Integer.bitCount(seen) > 1, "all frames went to one queue, which proves nothing");
        System.out.println("spread ok");
    }

    /** The device removes the VLAN tag from the frame and reports it in the completion. */
    private void stripped() {
        CompletionQueue cq = opened(context.createCqEx(
                new CqInitAttrEx().cqe(16).wcFlags(WcExFlags.STANDARD | WcExFlags.CVLAN | WcExFlags.FLOW_TAG)));
        QueuePair qp = receiver(cq, QpCreateFlags.CVLAN_STRIPPING);
        opened(qp.createFlow(new FlowAttr()
                .port(1)
                .specs(new FlowSpecEth().dstMac(MAC).vlanTag(VLAN), new FlowSpecActionTag(0x33))));
        ByteBuffer frame = Frames.inVlan(Frames.udp(newFrame(), MAC, 1234, 4000, 70), VLAN);
        send(frame);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (cq.startPoll(null) != 0) {
            require(System.nanoTime() < end, "no completion");
        }
        require(cq.status() == WcStatus.SUCCESS, WcStatus.toString(cq.status()));
        require(cq.readCvlan() == VLAN, "VLAN " + cq.readCvlan());
        require(cq.readFlowTag() == 0x33, "tag " + cq.readFlowTag());
        require(cq.readByteLen() == frame.position() - Frames.VLAN_LENGTH, "it has " + cq.readByteLen() + " bytes");
        cq.endPoll();
        System.out.println("stripped ok");
    }

    /** Sends 2500 bytes as three TCP frames with consecutive sequence numbers. */
    private void segmented() {
        CompletionQueue cq = completions();
        QueuePair qp = receiver(cq);
        opened(qp.createFlow(new FlowAttr().port(1).specs(new FlowSpecEth().dstMac(MAC))));
        cut(qp, cq, 7000);
        none(cq);
        System.out.println("segmented ok");
    }

    /**
     * Segments at each place of the ring, and so with a header that wraps to its start. libmlx5 writes the data too far
     * there, so this is only for Java.
     */
    private void segmentedEverywhere() {
        if ("native".equals(System.getProperty("io.verbs4j.mlx5.path"))) {
            return;
        }
        CompletionQueue cq = completions();
        QueuePair qp = receiver(cq);
        opened(qp.createFlow(new FlowAttr().port(1).specs(new FlowSpecEth().dstMac(MAC))));
        for (int round = 0; round < 40; round++) {
            cut(qp, cq, 8000 + 3000 * round);
            if (round % 20 == 10) { // from now on it starts at the other blocks
                send(Frames.udp(newFrame(), new byte[] {2, 0, 0, 0, 0, 8}, 1, 2, 70));
            }
        }
        none(cq);
        System.out.println("segmented everywhere ok");
    }

    private void cut(QueuePair qp, CompletionQueue cq, int sequence) {
        ByteBuffer header = Frames.tcp(newFrame(), MAC, 1234, 80, sequence);
        int headerSlot = FIRST_SEND + (sent - 1) % (SLOTS - FIRST_SEND);
        ByteBuffer data = newFrame();
        int dataSlot = FIRST_SEND + (sent - 1) % (SLOTS - FIRST_SEND);
        for (int i = 0; i < 2500; i++) {
            data.put((byte) (i * 7 + i / 256 + sequence));
        }
        require(
                sender.postSend(new SendWorkRequest()
                                .wrId(9)
                                .opcode(WrOpcode.TSO)
                                .sendFlags(SendFlags.SIGNALED | SendFlags.IP_CSUM)
                                .tsoHeader(sge(headerSlot, header.position()))
                                .mss(MSS)
                                .sgList(sge(dataSlot, data.position())))
                        == 0,
                "TSO was refused");
        require(next(sends).opcode() == WcOpcode.TSO, "another operation completed");
        int offset = 0;
        for (int length : new int[] {MSS, MSS, 500}) {
            WorkCompletion wc = next(cq);
            int slot = (int) wc.wrId();
            ByteBuffer found = memory.duplicate().position(slot * SIZE).slice();
            require(wc.byteLen() == header.position() + length, "it has " + wc.byteLen() + " bytes");
            require(Frames.sequence(found) == sequence + offset, "it begins at " + Frames.sequence(found));
            Frames.check(found, wc.byteLen());
            for (int i = 0; i < length; i++) {
                require(found.get(header.position() + i) == data.get(offset + i), "byte " + (offset + i));
            }
            offset += length;
            require(
                    qp.postRecv(new RecvWorkRequest().wrId(slot).sgList(sge(slot, SIZE))) == 0,
                    "a receive was refused");
        }
    }
}
