/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static io.verbs4j.rdmacore.sim.Check.require;

import io.verbs4j.Errno;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.WorkCompletion;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.sim.QpWalk;
import io.verbs4j.rdmacore.sim.Simulator;
import java.util.Map;

/**
 * Scenarios of {@link FaultsProgram}: elements of zero or negative length, and completions of a queue pair that was
 * reset.
 */
final class ElementLengthCases {
    private static final int FEW = 8;

    private ElementLengthCases() {}

    static Map<String, FaultsProgram.Scenario> scenarios() {
        return Map.of(
                "element of no length", bed -> noLength(bed, bed.rig.peer, null),
                "element of no length, shared", ElementLengthCases::noLengthShared,
                "negative length", ElementLengthCases::negative,
                "completions of one that was reset", ElementLengthCases::reset);
    }

    /** A small message is placed in the elements that have a length, wherever they are. */
    private static void noLength(FaultRig bed, QueuePair to, SharedReceiveQueue srq) {
        long source = bed.rig.mr.addr();
        long target = source + FaultRig.TARGET;
        for (int i = 0; i < FEW; i++) {
            NativeMemory.putByte(source + i, 0x30 + i);
            NativeMemory.putByte(target + i, 0);
        }
        RecvWorkRequest receive = new RecvWorkRequest()
                .wrId(FaultRig.PEERS)
                .sgList(
                        ScatterGatherElement.of(bed.rig.mr, FaultRig.TARGET + 100, 0),
                        ScatterGatherElement.of(bed.rig.mr, FaultRig.TARGET, FEW / 2),
                        ScatterGatherElement.of(bed.rig.mr, FaultRig.TARGET + FEW / 2, FEW));
        require((srq == null ? to.postRecv(receive) : srq.postRecv(receive)) == 0, "the receive was refused");
        SendWorkRequest wr = bed.send(0).sgList(ScatterGatherElement.of(bed.rig.mr, 0, FEW));
        QueuePair from = srq == null ? bed.rig.qp : to;
        require(from.postSend(wr) == 0, "the send was refused");
        Simulator.pump();
        bed.note(FaultRig.one(bed.rig.cq) + ", " + FaultRig.one(bed.rig.peerCq));
        for (int i = 0; i < FEW; i++) {
            int got = NativeMemory.getByte(target + i);
            require(got == 0x30 + i, "byte " + i + " is " + got);
        }
    }

    /** A queue pair sends to itself: one completion queue takes its sends, the other its receives. */
    private static void noLengthShared(FaultRig bed) {
        Mlx5Rig rig = bed.rig;
        try (SharedReceiveQueue srq = rig.pd.createSrq(
                        new SrqInitAttr().attr(new SrqAttr().maxWr(8).maxSge(3)));
                QueuePair self =
                        rig.pd.createQp(Mlx5Rig.attr(QpType.RC, rig.cq, srq).recvCq(rig.peerCq))) {
            Mlx5Rig.connect(rig.context, self, self.qpNum());
            noLength(bed, self, srq);
        }
    }

    /** The device would read the upper bit as something else. */
    private static void negative(FaultRig bed) {
        try (SharedReceiveQueue srq = bed.rig.pd.createSrq(
                new SrqInitAttr().attr(new SrqAttr().maxWr(8).maxSge(3)))) {
            for (int length : new int[] {-1, -FaultRig.LENGTH, Integer.MIN_VALUE, Integer.MIN_VALUE + 12}) {
                for (int place = 0; place < 3; place++) {
                    ScatterGatherElement[] list = new ScatterGatherElement[3];
                    for (int i = 0; i < list.length; i++) {
                        list[i] = ScatterGatherElement.of(bed.rig.mr, 0, 12);
                    }
                    list[place].length(length);
                    SendWorkRequest bad = bed.send(1).sgList(list);
                    SendWorkRequest[] badSend = new SendWorkRequest[1];
                    for (int flags : new int[] {SendFlags.SIGNALED, SendFlags.SIGNALED | SendFlags.INLINE}) {
                        int error = bed.rig.qp.postSend(bad.sendFlags(flags), badSend);
                        require(error == Errno.EINVAL && badSend[0] == bad, "a send of " + length + ": " + error);
                    }
                    RecvWorkRequest receive = new RecvWorkRequest().sgList(list);
                    RecvWorkRequest[] badRecv = new RecvWorkRequest[1];
                    int error = bed.rig.qp.postRecv(receive, badRecv);
                    require(error == Errno.EINVAL && badRecv[0] == receive, "a receive of " + length + ": " + error);
                    error = srq.postRecv(receive, badRecv);
                    require(error == Errno.EINVAL && badRecv[0] == receive, "a shared one of " + length + ": " + error);
                }
            }
        }
        bed.goOn();
    }

    /** RESET drops pending completions, even those that another queue pair's end has moved. */
    private static void reset(FaultRig bed) {
        bed.receives(FaultRig.PEERS, 3);
        bed.sends(0, 3);
        Simulator.pump();
        bed.rig.pd.createQp(Mlx5Rig.attr(QpType.RC, bed.rig.cq, null)).close();
        bed.rig.pd.createQp(Mlx5Rig.attr(QpType.RC, bed.rig.peerCq, null)).close();
        QpWalk.reset(bed.rig.qp);
        WorkCompletion[] wc = {new WorkCompletion()};
        require(bed.rig.cq.poll(1, wc) == 0, "left after RESET: " + wc[0].wrId());
        for (int i = 0; i < 3; i++) { // those of the other one stay
            bed.note(FaultRig.one(bed.rig.peerCq));
        }
        bed.goOn();
    }
}
