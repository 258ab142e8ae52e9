/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.FlowAttr;
import io.verbs4j.FlowSpecEth;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpCreateFlags;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpState;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcExFlags;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import java.util.Arrays;
import java.util.function.Consumer;

/** R24: Ethernet; here queue pairs that send and receive frames. */
abstract class FrameRules extends ImportRules {
    private static final String DESCRIBED = "ibv_create_qp_ex(3), ibv_post_send(3), and docs/guides/ethernet.md";
    private static final int SHORTEST = 18;
    private static final int LONGEST = 1472;
    private static final int TSO_HEADER = 64;
    private static final int MSS = 1000;
    private static final int FIRST_BYTE = 7000;

    /** A VLAN tag with a priority, not only a number. */
    private static final int TAG = 0x6123;

    /** Where frames are received. */
    FrameEnd here;

    /** Where frames are sent. */
    FrameEnd there;

    QueuePair sender;

    /** For {@link ProviderKit}. */
    FrameRules() {}

    /** A queue pair that receives, and its completion queue. */
    record Receiver(QueuePair qp, CompletionQueue cq) {}

    /** Returns an address, a different one for each number. */
    static byte[] mac(int number) {
        return new byte[] {2, 0x24, 0, 0, 0, (byte) number};
    }

    void startFrames(Consumer<QpInitAttrEx> settings) {
        here = new FrameEnd(this, open(), portNum());
        there = new FrameEnd(this, open(peerDeviceName()), framePort());
        sender = there.ready(there.completions(), settings);
    }

    void startFrames() {
        startFrames(attr -> {});
    }

    /** A queue pair with receives, to which nothing is steered yet. */
    Receiver receiver(long wcFlags, Consumer<QpInitAttrEx> settings) {
        CompletionQueue cq = here.completions(wcFlags);
        QueuePair qp = here.ready(cq, settings);
        here.post(qp, FrameEnd.DEPTH);
        return new Receiver(qp, cq);
    }

    Receiver receiver() {
        return receiver(0, attr -> {});
    }

    /** The same, with a flow of frames to an address. */
    Receiver receiver(byte[] mac) {
        Receiver receiver = receiver();
        here.flow(receiver.qp(), to(mac));
        return receiver;
    }

    static FlowAttr to(byte[] mac) {
        return new FlowAttr().specs(new FlowSpecEth().dstMac(mac));
    }

    byte[] send(Frame frame) {
        byte[] bytes = frame.bytes();
        there.send(sender, there.request(bytes, 0));
        return bytes;
    }

    @Rule(
            id = "R24.01",
            since = 4,
            says = "a frame arrives as it was sent, of any length, from and in several pieces",
            look = {"QueuePair.postSend", "QueuePair.postRecv", "the function in the slot CREATE_FLOW"},
            man = DESCRIBED,
            needs = {Capability.ETHERNET})
    final void r2401Whole() {
        startFrames();
        Receiver receiver = receiver(mac(1));
        for (int data : new int[] {SHORTEST, SHORTEST + 1, 500, LONGEST}) {
            WorkCompletion wc =
                    here.arrives(receiver.cq(), send(Frame.to(mac(1)).data(data)));
            Seen.equal("opcode", WcOpcode.toString(WcOpcode.RECV), WcOpcode.toString(wc.opcode()));
        }
        pieces();
    }

    private void pieces() {
        Receiver receiver = new Receiver(null, here.completions());
        QueuePair qp = here.ready(receiver.cq());
        here.flow(qp, to(mac(2)));
        RecvWorkRequest receive = here.receive();
        int first = (int) receive.wrId();
        int second = (int) here.receive().wrId();
        receive.sgList(here.sge(first, 0, 33), here.sge(second, 0, FrameEnd.SLOT_BYTES));
        Seen.errno("postRecv of two pieces", 0, qp.postRecv(receive));
        byte[] frame = Frame.to(mac(2)).data(200).bytes();
        int begin = there.write(Arrays.copyOf(frame, 40));
        int end = there.write(Arrays.copyOfRange(frame, 40, frame.length));
        there.send(
                sender,
                new SendWorkRequest()
                        .wrId(begin)
                        .opcode(WrOpcode.SEND)
                        .sendFlags(SendFlags.SIGNALED)
                        .sgList(there.sge(begin, 0, 40), there.sge(end, 0, frame.length - 40)));
        Seen.equal(
                "byteLen of a frame in two pieces",
                frame.length,
                here.next(receiver.cq()).byteLen());
        FrameEnd.same(Arrays.copyOf(frame, 33), here.read(first, 33));
        FrameEnd.same(Arrays.copyOfRange(frame, 33, frame.length), here.read(second, frame.length - 33));
    }

    @Rule(
            id = "R24.02",
            since = 4,
            says = "a frame that finds no receive is lost and does not affect later frames",
            look = {"QueuePair.postRecv", "QueuePair.postSend"},
            man = DESCRIBED,
            needs = {Capability.ETHERNET})
    final void r2402Lost() {
        startFrames();
        CompletionQueue cq = here.completions();
        QueuePair qp = here.ready(cq);
        here.flow(qp, to(mac(1)));
        here.post(qp, 1);
        byte[] first = send(Frame.to(mac(1)).data(100));
        send(Frame.to(mac(1)).data(101));
        send(Frame.to(mac(1)).data(102));
        here.arrives(cq, first);
        here.post(qp, 1);
        here.arrives(cq, send(Frame.to(mac(1)).data(103)));
    }

    @Rule(
            id = "R24.03",
            since = 4,
            says = "a queue pair takes receives from INIT on, receives from RTR on, sends in RTS, and flushes in ERR",
            look = {"ContextOps.modifyQp", "QueuePair.postSend", "QueuePair.postRecv"},
            man = "ibv_modify_qp(3), and docs/guides/ethernet.md",
            needs = {Capability.ETHERNET})
    final void r2403States() {
        startFrames();
        CompletionQueue cq = here.completions();
        QueuePair qp = here.queuePair(here.init(cq));
        int ports = here.context.queryDevice().physPortCnt();
        QpAttr init = new QpAttr().qpState(QpState.INIT);
        Seen.errno("postRecv in state RESET", Errno.EINVAL, qp.postRecv(here.receive()));
        Seen.refuses("modify to INIT with port " + (ports + 1), () -> qp.modify(init.portNum(ports + 1)), Errno.EINVAL);
        here.toInit(qp);
        here.post(qp, 3);
        byte[] frame = Frame.to(mac(2)).bytes();
        Seen.errno("postSend in state INIT", Errno.EINVAL, qp.postSend(here.request(frame, 0)));
        qp.modify(new QpAttr().qpState(QpState.RTR));
        here.flow(qp, to(mac(1)));
        here.arrives(cq, send(Frame.to(mac(1))));
        Seen.errno("postSend in state RTR", Errno.EINVAL, qp.postSend(here.request(frame, 0)));
        qp.modify(new QpAttr().qpState(QpState.RTS));
        here.send(qp, here.request(frame, 0));
        qp.modify(new QpAttr().qpState(QpState.ERR));
        here.next(cq, WcStatus.WR_FLUSH_ERR);
        here.next(cq, WcStatus.WR_FLUSH_ERR);
        int state = qp.query(QpAttrMask.STATE).qpState();
        Seen.equal("the state", QpState.toString(QpState.ERR), QpState.toString(state));
    }

    @Rule(
            id = "R24.04",
            since = 4,
            says = "with IP_CSUM the device fills in the IPv4, UDP and TCP checksums; completions report correct ones",
            look = {"QueuePair.postSend (IP_CSUM)", "the wcFlags of a completion (IP_CSUM_OK)"},
            man = "ibv_post_send(3) (IBV_SEND_IP_CSUM), ibv_poll_cq(3) (IBV_WC_IP_CSUM_OK)",
            needs = {Capability.ETHERNET, Capability.CHECKSUMS})
    final void r2404Checksums() {
        startFrames();
        Receiver receiver = receiver(mac(1));
        for (int data : new int[] {SHORTEST, 33, 1400}) {
            for (boolean tcp : new boolean[] {false, true}) {
                Frame frame = Frame.to(mac(1)).data(data).withoutChecksums();
                byte[] bytes = (tcp ? frame.tcp(FIRST_BYTE) : frame).bytes();
                there.send(sender, there.request(bytes, SendFlags.IP_CSUM));
                WorkCompletion wc = here.next(receiver.cq());
                byte[] found = here.read(wc.wrId(), wc.byteLen());
                Seen.check(Frame.fault(found).isEmpty(), Frame.fault(found));
                FrameEnd.same(bytes, Frame.blank(found));
                Seen.check((wc.wcFlags() & WcFlags.IP_CSUM_OK) != 0, "wcFlags lacks IP_CSUM_OK");
                here.post(receiver.qp(), 1);
            }
        }
        byte[] damaged = Frame.damaged(Frame.to(mac(1)).bytes());
        there.send(sender, there.request(damaged, 0));
        WorkCompletion wc = here.arrives(receiver.cq(), damaged);
        Seen.check((wc.wcFlags() & WcFlags.IP_CSUM_OK) == 0, "wcFlags has IP_CSUM_OK where the checksum is wrong");
    }

    @Rule(
            id = "R24.05",
            since = 4,
            says = "with CVLAN_STRIPPING the completion reports the VLAN tag instead of the frame; else the tag stays",
            look = {"the function in the slot CREATE_QP_EX (CVLAN_STRIPPING)", "CompletionQueue.readCvlan"},
            man = "ibv_create_qp_ex(3) (IBV_QP_CREATE_CVLAN_STRIPPING), ibv_create_cq_ex(3) (ibv_wc_read_cvlan)",
            needs = {Capability.ETHERNET, Capability.VLAN_STRIPPING, Capability.EXTENDED_CQ})
    final void r2405Vlan() {
        startFrames();
        Receiver plain = receiver(mac(1));
        here.arrives(plain.cq(), send(Frame.to(mac(1)).vlan(TAG)));
        long flags = WcExFlags.STANDARD | WcExFlags.CVLAN;
        Receiver strips = receiver(flags, attr -> attr.createFlags(QpCreateFlags.CVLAN_STRIPPING));
        here.flow(strips.qp(), to(mac(2)));
        send(Frame.to(mac(2)).vlan(TAG));
        WorkCompletion wc = here.arrives(strips.cq(), Frame.to(mac(2)).bytes());
        Seen.equal("cvlan", TAG, wc.cvlan());
        send(Frame.to(mac(2)).vlan(TAG));
        begin(strips.cq());
        Seen.equal("readCvlan()", TAG, strips.cq().readCvlan());
        strips.cq().endPoll();
    }

    /** Waits for a completion by startPoll, which must be successful. */
    void begin(CompletionQueue cq) {
        long end = System.nanoTime() + patience().toNanos();
        while (cq.startPoll(null) != 0) {
            Seen.check(System.nanoTime() < end, "no completion in " + patience().toMillis() + " ms");
            Thread.onSpinWait();
        }
        Seen.equal("status", WcStatus.toString(WcStatus.SUCCESS), WcStatus.toString(cq.status()));
    }

    @Rule(
            id = "R24.06",
            since = 4,
            says = "TSO cuts data into frames of mss bytes with their own numbers and checksums, and completes once",
            look = {"QueuePair.postSend (TSO)", "the function in the slot CREATE_QP_EX (maxTsoHeader)"},
            man = "ibv_post_send(3) (IBV_WR_TSO), and the Javadoc of WrOpcode.TSO",
            needs = {Capability.ETHERNET, Capability.TSO, Capability.CHECKSUMS})
    final void r2406Tso() {
        startFrames(attr -> attr.maxTsoHeader(TSO_HEADER));
        Receiver receiver = receiver(mac(1));
        Frame whole = Frame.to(mac(1)).tcp(FIRST_BYTE).data(1700).withoutChecksums();
        byte[] frame = whole.bytes();
        int headerBytes = frame.length - 1700;
        SendWorkRequest wr = segmented(frame, headerBytes);
        Seen.errno("postSend of TSO", 0, sender.postSend(wr));
        WorkCompletion sent = there.next(sender.sendCq());
        Seen.equal("opcode", WcOpcode.toString(WcOpcode.TSO), WcOpcode.toString(sent.opcode()));
        Seen.equal("wrId", wr.wrId(), sent.wrId());
        for (int offset = 0; offset < 1700; offset += MSS) {
            int length = Math.min(MSS, 1700 - offset);
            byte[] found = here.arrived(receiver.cq());
            Seen.equal("byteLen of the segment from " + offset, headerBytes + length, found.length);
            Seen.equal("the first byte's number", FIRST_BYTE + offset, Frame.sequence(found));
            Seen.check(Frame.fault(found).isEmpty(), Frame.fault(found) + " of the segment from " + offset);
            for (int i = 0; i < length; i++) {
                Seen.equal("byte " + (offset + i) + " of the data", whole.dataAt(offset + i), found[headerBytes + i]);
            }
        }
        byte[] next = send(Frame.to(mac(1)).data(100));
        here.arrives(receiver.cq(), next);
        Seen.errno(
                "postSend of TSO with a header longer than maxTsoHeader",
                Errno.EINVAL,
                sender.postSend(segmented(frame, 2 * TSO_HEADER)));
        Seen.errno(
                "postSend of TSO with mss 0",
                Errno.EINVAL,
                sender.postSend(segmented(frame, headerBytes).mss(0)));
    }

    private SendWorkRequest segmented(byte[] frame, int headerBytes) {
        int slot = there.write(frame);
        return new SendWorkRequest()
                .wrId(slot)
                .opcode(WrOpcode.TSO)
                .sendFlags(SendFlags.SIGNALED | SendFlags.IP_CSUM)
                .tsoHeader(there.sge(slot, 0, headerBytes))
                .mss(MSS)
                .sgList(there.sge(slot, headerBytes, frame.length - headerBytes));
    }
}
