/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static io.verbs4j.rdmacore.sim.Check.require;

import io.verbs4j.CompletionQueue;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.QpType;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcExFlags;
import io.verbs4j.WcFlags;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.rdmacore.sim.Simulator;
import java.nio.ByteBuffer;

/**
 * A program for a simulated device: no way of reading completions takes the bytes of a message inside its completion
 * for the path that they replace.
 */
public final class SmallMessagesProgram {
    /** The number of bytes that a completion of 64 bytes can hold. */
    private static final int INSIDE = 32;

    private static final long PATH =
            WcExFlags.SLID | WcExFlags.SL | WcExFlags.SRC_QP | WcExFlags.DLID_PATH_BITS | WcExFlags.BYTE_LEN;

    private static int messages;

    private SmallMessagesProgram() {}

    public static void main(String... args) {
        for (int type : new int[] {QpType.RC, QpType.UC}) {
            for (int way = 0; way < 3; way++) {
                for (int length : new int[] {18, 24, INSIDE, INSIDE + 1}) {
                    receive(type, way, length);
                }
            }
        }
        Simulator.requireNoViolation();
        System.out.println("small messages " + messages);
    }

    private static void receive(int type, int way, int length) {
        ByteBuffer memory = ByteBuffer.allocateDirect(256);
        for (int i = 0; i < length; i++) {
            memory.put(i, (byte) 0xff);
        }
        try (Mlx5Rig rig = new Mlx5Rig(
                "mlx5_0",
                "java",
                type,
                memory,
                c -> way == 0
                        ? c.createCq(16)
                        : c.createCqEx(new CqInitAttrEx().cqe(16).wcFlags(PATH)))) {
            RecvWorkRequest receive = new RecvWorkRequest().sgList(ScatterGatherElement.of(rig.mr, 128, 64));
            require(rig.peer.postRecv(receive) == 0, "a receive was refused");
            SendWorkRequest send = new SendWorkRequest()
                    .opcode(WrOpcode.SEND_WITH_IMM)
                    .immData(7)
                    .sgList(ScatterGatherElement.of(rig.mr, 0, length));
            require(rig.qp.postSend(send) == 0, "a post was refused");
            Simulator.pump();
            WorkCompletion wc = way == 2 ? current(rig.peerCq) : polled(rig.peerCq, way == 1);
            String which = QpType.toString(type) + ", way " + way + ", " + length + " bytes: ";
            require(wc.status() == WcStatus.SUCCESS && wc.byteLen() == length, which + wc);
            require((wc.wcFlags() & WcFlags.WITH_IMM) != 0, which + wc);
            require(memory.get(128 + length - 1) == -1 && memory.get(128 + length) == 0, which + "other bytes");
            boolean inside = length <= INSIDE;
            require(!inside || wc.wcFlags() == WcFlags.WITH_IMM, which + wc);
            require(!inside || wc.slid() == 0 && wc.dlidPathBits() == 0, which + "slid " + wc.slid());
            require(wc.srcQp() == (inside ? 0 : rig.qp.qpNum()), which + "source " + wc.srcQp());
            require(wc.sl() == (inside ? 0 : Mlx5Rig.SERVICE_LEVEL), which + "service level " + wc.sl());
            messages++;
        }
    }

    private static WorkCompletion polled(CompletionQueue cq, boolean extended) {
        WorkCompletion[] wc = {new WorkCompletion()};
        int taken = extended ? cq.poll(1, wc, WorkCompletion.SIZE) : cq.poll(1, wc);
        require(taken == 1, "taken " + taken);
        return wc[0];
    }

    private static WorkCompletion current(CompletionQueue cq) {
        require(cq.startPoll(null) == 0, "no completion");
        WorkCompletion wc = new WorkCompletion()
                .status(cq.status())
                .byteLen(cq.readByteLen())
                .wcFlags(cq.readWcFlags())
                .slid(cq.readSlid())
                .sl(cq.readSl())
                .srcQp(cq.readSrcQp())
                .dlidPathBits(cq.readDlidPathBits());
        require(cq.endPoll() == 0, "not ended");
        return wc;
    }
}
