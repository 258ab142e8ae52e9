/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.CompletionQueue;
import io.verbs4j.FlowAttr;
import io.verbs4j.FlowSpecEth;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import java.util.Arrays;
import java.util.function.Consumer;

/** Two ends of an Ethernet segment. See {@link FrameRules}. */
class FrameRig extends Rig {
    static final String DESCRIBED = "ibv_create_qp_ex(3), ibv_post_send(3), and docs/guides/ethernet.md";
    static final int SHORTEST = 18;
    static final int LONGEST = 1472;
    static final int TSO_HEADER = 64;
    static final int MSS = 1000;
    static final int FIRST_BYTE = 7000;

    /** A VLAN tag with a priority, not only a number. */
    static final int TAG = 0x6123;

    /** The receiving end. */
    FrameEnd here;

    /** The sending end. */
    FrameEnd there;

    QueuePair sender;

    FrameRig(ProviderKit kit) {
        super(kit);
    }

    /** A queue pair that receives, and its completion queue. */
    record Receiver(QueuePair qp, CompletionQueue cq) {}

    /** Returns an address, a different one for each number. */
    static byte[] mac(int number) {
        return new byte[] {2, 0x24, 0, 0, 0, (byte) number};
    }

    void startFrames(Consumer<QpInitAttrEx> settings) {
        here = new FrameEnd(this, open(), kit.portNum());
        there = new FrameEnd(this, open(kit.peerDeviceName()), kit.framePort());
        sender = there.ready(there.completions(), settings);
    }

    void startFrames() {
        startFrames(attr -> {});
    }

    /** {@return a queue pair with receives, to which nothing is steered yet} */
    Receiver receiver(long wcFlags, Consumer<QpInitAttrEx> settings) {
        CompletionQueue cq = here.completions(wcFlags);
        QueuePair qp = here.ready(cq, settings);
        here.post(qp, FrameEnd.DEPTH);
        return new Receiver(qp, cq);
    }

    Receiver receiver() {
        return receiver(0, attr -> {});
    }

    /** {@return a queue pair with receives, and a flow of frames to an address} */
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

    void pieces() {
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

    SendWorkRequest segmented(byte[] frame, int headerBytes) {
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
