/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static io.verbs4j.compat.kit.FrameRig.DESCRIBED;
import static io.verbs4j.compat.kit.FrameRig.FIRST_BYTE;
import static io.verbs4j.compat.kit.FrameRig.LONGEST;
import static io.verbs4j.compat.kit.FrameRig.MSS;
import static io.verbs4j.compat.kit.FrameRig.SHORTEST;
import static io.verbs4j.compat.kit.FrameRig.TAG;
import static io.verbs4j.compat.kit.FrameRig.TSO_HEADER;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpCreateFlags;
import io.verbs4j.QpState;
import io.verbs4j.QueuePair;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcExFlags;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;

/** R24: Ethernet; here, queue pairs that send and receive frames. */
interface FrameRules {
    @Rule(
            id = "R24.01",
            since = 4,
            says = "a frame arrives as it was sent, of any length, from and in several pieces",
            look = {"QueuePair.postSend", "QueuePair.postRecv", "the function in the slot CREATE_FLOW"},
            man = DESCRIBED,
            needs = {Capability.ETHERNET})
    default void r2401Whole(FrameRig rig) {
        rig.startFrames();
        FrameRig.Receiver receiver = rig.receiver(FrameRig.mac(1));
        for (int data : new int[] {SHORTEST, SHORTEST + 1, 500, LONGEST}) {
            WorkCompletion wc = rig.here.arrives(
                    receiver.cq(), rig.send(Frame.to(FrameRig.mac(1)).data(data)));
            Seen.equal("opcode", WcOpcode.toString(WcOpcode.RECV), WcOpcode.toString(wc.opcode()));
        }
        rig.pieces();
    }

    @Rule(
            id = "R24.02",
            since = 4,
            says = "a frame that finds no receive is lost and does not affect later frames",
            look = {"QueuePair.postRecv", "QueuePair.postSend"},
            man = DESCRIBED,
            needs = {Capability.ETHERNET})
    default void r2402Lost(FrameRig rig) {
        rig.startFrames();
        CompletionQueue cq = rig.here.completions();
        QueuePair qp = rig.here.ready(cq);
        rig.here.flow(qp, FrameRig.to(FrameRig.mac(1)));
        rig.here.post(qp, 1);
        byte[] first = rig.send(Frame.to(FrameRig.mac(1)).data(100));
        rig.send(Frame.to(FrameRig.mac(1)).data(101));
        rig.send(Frame.to(FrameRig.mac(1)).data(102));
        rig.here.arrives(cq, first);
        rig.here.post(qp, 1);
        rig.here.arrives(cq, rig.send(Frame.to(FrameRig.mac(1)).data(103)));
    }

    @Rule(
            id = "R24.03",
            since = 4,
            says = "a queue pair takes receives from INIT on, receives from RTR on, sends in RTS, and flushes in ERR",
            look = {"ContextOps.modifyQp", "QueuePair.postSend", "QueuePair.postRecv"},
            man = "ibv_modify_qp(3), and docs/guides/ethernet.md",
            needs = {Capability.ETHERNET})
    default void r2403States(FrameRig rig) {
        rig.startFrames();
        CompletionQueue cq = rig.here.completions();
        QueuePair qp = rig.here.queuePair(rig.here.init(cq));
        int ports = rig.here.context.queryDevice().physPortCnt();
        QpAttr init = new QpAttr().qpState(QpState.INIT);
        Seen.errno("postRecv in state RESET", Errno.EINVAL, qp.postRecv(rig.here.receive()));
        Seen.refuses("modify to INIT with port " + (ports + 1), () -> qp.modify(init.portNum(ports + 1)), Errno.EINVAL);
        rig.here.toInit(qp);
        rig.here.post(qp, 3);
        byte[] frame = Frame.to(FrameRig.mac(2)).bytes();
        Seen.errno("postSend in state INIT", Errno.EINVAL, qp.postSend(rig.here.request(frame, 0)));
        qp.modify(new QpAttr().qpState(QpState.RTR));
        rig.here.flow(qp, FrameRig.to(FrameRig.mac(1)));
        rig.here.arrives(cq, rig.send(Frame.to(FrameRig.mac(1))));
        Seen.errno("postSend in state RTR", Errno.EINVAL, qp.postSend(rig.here.request(frame, 0)));
        qp.modify(new QpAttr().qpState(QpState.RTS));
        rig.here.send(qp, rig.here.request(frame, 0));
        qp.modify(new QpAttr().qpState(QpState.ERR));
        rig.here.next(cq, WcStatus.WR_FLUSH_ERR);
        rig.here.next(cq, WcStatus.WR_FLUSH_ERR);
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
    default void r2404Checksums(FrameRig rig) {
        rig.startFrames();
        FrameRig.Receiver receiver = rig.receiver(FrameRig.mac(1));
        for (int data : new int[] {SHORTEST, 33, 1400}) {
            for (boolean tcp : new boolean[] {false, true}) {
                Frame frame = Frame.to(FrameRig.mac(1)).data(data).withoutChecksums();
                byte[] bytes = (tcp ? frame.tcp(FIRST_BYTE) : frame).bytes();
                rig.there.send(rig.sender, rig.there.request(bytes, SendFlags.IP_CSUM));
                WorkCompletion wc = rig.here.next(receiver.cq());
                byte[] found = rig.here.read(wc.wrId(), wc.byteLen());
                Seen.check(Frame.fault(found).isEmpty(), Frame.fault(found));
                FrameEnd.same(bytes, Frame.blank(found));
                Seen.check((wc.wcFlags() & WcFlags.IP_CSUM_OK) != 0, "wcFlags lacks IP_CSUM_OK");
                rig.here.post(receiver.qp(), 1);
            }
        }
        byte[] damaged = Frame.damaged(Frame.to(FrameRig.mac(1)).bytes());
        rig.there.send(rig.sender, rig.there.request(damaged, 0));
        WorkCompletion wc = rig.here.arrives(receiver.cq(), damaged);
        Seen.check((wc.wcFlags() & WcFlags.IP_CSUM_OK) == 0, "wcFlags has IP_CSUM_OK although the checksum is wrong");
    }

    @Rule(
            id = "R24.05",
            since = 4,
            says = "with CVLAN_STRIPPING the completion reports the VLAN tag instead of the frame; else the tag stays",
            look = {"the function in the slot CREATE_QP_EX (CVLAN_STRIPPING)", "CompletionQueue.readCvlan"},
            man = "ibv_create_qp_ex(3) (IBV_QP_CREATE_CVLAN_STRIPPING), ibv_create_cq_ex(3) (ibv_wc_read_cvlan)",
            needs = {Capability.ETHERNET, Capability.VLAN_STRIPPING, Capability.EXTENDED_CQ})
    default void r2405Vlan(FrameRig rig) {
        rig.startFrames();
        FrameRig.Receiver plain = rig.receiver(FrameRig.mac(1));
        rig.here.arrives(plain.cq(), rig.send(Frame.to(FrameRig.mac(1)).vlan(TAG)));
        long flags = WcExFlags.STANDARD | WcExFlags.CVLAN;
        FrameRig.Receiver strips = rig.receiver(flags, attr -> attr.createFlags(QpCreateFlags.CVLAN_STRIPPING));
        rig.here.flow(strips.qp(), FrameRig.to(FrameRig.mac(2)));
        rig.send(Frame.to(FrameRig.mac(2)).vlan(TAG));
        WorkCompletion wc =
                rig.here.arrives(strips.cq(), Frame.to(FrameRig.mac(2)).bytes());
        Seen.equal("cvlan", TAG, wc.cvlan());
        rig.send(Frame.to(FrameRig.mac(2)).vlan(TAG));
        rig.startPolling(strips.cq());
        Seen.equal("readCvlan()", TAG, strips.cq().readCvlan());
        strips.cq().endPoll();
    }

    @Rule(
            id = "R24.06",
            since = 4,
            says = "TSO cuts data into frames of mss bytes with their own numbers and checksums, and completes once",
            look = {"QueuePair.postSend (TSO)", "the function in the slot CREATE_QP_EX (maxTsoHeader)"},
            man = "ibv_post_send(3) (IBV_WR_TSO), and the Javadoc of WrOpcode.TSO",
            needs = {Capability.ETHERNET, Capability.TSO, Capability.CHECKSUMS})
    default void r2406Tso(FrameRig rig) {
        rig.startFrames(attr -> attr.maxTsoHeader(TSO_HEADER));
        FrameRig.Receiver receiver = rig.receiver(FrameRig.mac(1));
        Frame whole = Frame.to(FrameRig.mac(1)).tcp(FIRST_BYTE).data(1700).withoutChecksums();
        byte[] frame = whole.bytes();
        int headerBytes = frame.length - 1700;
        SendWorkRequest wr = rig.segmented(frame, headerBytes);
        Seen.errno("postSend of TSO", 0, rig.sender.postSend(wr));
        WorkCompletion sent = rig.there.next(rig.sender.sendCq());
        Seen.equal("opcode", WcOpcode.toString(WcOpcode.TSO), WcOpcode.toString(sent.opcode()));
        Seen.equal("wrId", wr.wrId(), sent.wrId());
        for (int offset = 0; offset < 1700; offset += MSS) {
            int length = Math.min(MSS, 1700 - offset);
            byte[] found = rig.here.arrived(receiver.cq());
            Seen.equal("byteLen of the segment from " + offset, headerBytes + length, found.length);
            Seen.equal("the sequence number", FIRST_BYTE + offset, Frame.sequence(found));
            Seen.check(Frame.fault(found).isEmpty(), Frame.fault(found) + " in the segment from " + offset);
            for (int i = 0; i < length; i++) {
                Seen.equal("byte " + (offset + i) + " of the data", whole.dataAt(offset + i), found[headerBytes + i]);
            }
        }
        byte[] next = rig.send(Frame.to(FrameRig.mac(1)).data(100));
        rig.here.arrives(receiver.cq(), next);
        Seen.errno(
                "postSend of TSO with a header longer than maxTsoHeader",
                Errno.EINVAL,
                rig.sender.postSend(rig.segmented(frame, 2 * TSO_HEADER)));
        Seen.errno(
                "postSend of TSO with mss 0",
                Errno.EINVAL,
                rig.sender.postSend(rig.segmented(frame, headerBytes).mss(0)));
    }
}
