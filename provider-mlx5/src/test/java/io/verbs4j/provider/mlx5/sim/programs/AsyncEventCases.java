/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static io.verbs4j.rdmacore.sim.Check.require;

import io.verbs4j.AddressHandle;
import io.verbs4j.AsyncEvent;
import io.verbs4j.Errno;
import io.verbs4j.EventType;
import io.verbs4j.PortState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.sim.QpWalk;
import io.verbs4j.rdmacore.sim.Simulator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Scenarios of {@link FaultsProgram}: asynchronous events, queue pairs in error that share receives, and reordered
 * datagrams.
 */
final class AsyncEventCases {
    private static final int HEADER = 40;

    private AsyncEventCases() {}

    static Map<String, FaultsProgram.Scenario> scenarios() {
        return Map.of(
                "events", AsyncEventCases::events,
                "overrun", AsyncEventCases::overrun,
                "shared receives", AsyncEventCases::sharedReceives,
                "datagrams in another order", AsyncEventCases::reordered);
    }

    private static AsyncEvent event(FaultRig bed, int type) {
        AsyncEvent event = bed.rig.context.getAsyncEvent(60, TimeUnit.SECONDS);
        require(event != null && event.eventType() == type, "event " + event + " instead of " + type);
        bed.note(EventType.toString(type));
        event.ack();
        return event;
    }

    private static int device(FaultRig bed) {
        return bed.rig.context.device().name().endsWith("0") ? 0 : 1;
    }

    private static void raise(FaultRig bed, int type, int number) {
        int error = Simulator.device_sim_async_event(device(bed), type, number);
        require(error == 0, EventType.toString(type) + ": " + error);
    }

    private static void events(FaultRig bed) {
        for (int type : new int[] {EventType.QP_FATAL, EventType.COMM_EST, EventType.PATH_MIG}) {
            raise(bed, type, bed.rig.peer.qpNum());
            require(event(bed, type).element() == bed.rig.peer, "event of another queue pair");
        }
        for (int state : new int[] {PortState.DOWN, PortState.ACTIVE}) {
            require(Simulator.device_sim_port_state(device(bed), 1, state) == 0, "port state");
            int type = state == PortState.DOWN ? EventType.PORT_ERR : EventType.PORT_ACTIVE;
            require(event(bed, type).portNum() == 1, "event of another port");
        }
        raise(bed, EventType.LID_CHANGE, 1);
        event(bed, EventType.LID_CHANGE);
        bed.receives(FaultRig.PEERS, 1);
        bed.sends(0, 1);
        bed.work();
        bed.expect(FaultRig.SENDS, "0 ok");
    }

    /** Completions in the queue can still be taken; after that, every poll reports the overrun. */
    private static void overrun(FaultRig bed) {
        bed.receives(FaultRig.PEERS, 2);
        bed.sends(0, 2);
        Simulator.pump();
        raise(bed, EventType.CQ_ERR, cqn(bed));
        require(event(bed, EventType.CQ_ERR).element() == bed.rig.cq, "event of another queue");
        WorkCompletion[] wc = {new WorkCompletion(), new WorkCompletion()};
        bed.note("polled " + bed.rig.cq.poll(2, wc) + " " + bed.rig.cq.poll(2, wc) + " " + bed.rig.cq.poll(1, wc));
        require(bed.log().get(1).equals("polled 2 " + -Errno.EOVERFLOW + " " + -Errno.EOVERFLOW), "" + bed.log());
        require(bed.rig.cq.poll(0, wc) == 0, "a poll for no completions");
    }

    private static int cqn(FaultRig bed) {
        return io.verbs4j.provider.mlx5.dv.DvObjects.cq(
                        ((io.verbs4j.rdmacore.object.NativeCompletionQueue) bed.rig.cq).ibv.address())
                .number();
    }

    /**
     * Two responders share their receives. A message too long for its receive breaks one of them: its receive reports
     * this, and an event reports that it takes no more. The remaining receives serve the other.
     */
    private static void sharedReceives(FaultRig bed) {
        Mlx5Rig rig = bed.rig;
        try (SharedReceiveQueue srq = rig.pd.createSrq(
                        new SrqInitAttr().attr(new SrqAttr().maxWr(8).maxSge(1)));
                QueuePair first = rig.pd.createQp(Mlx5Rig.attr(QpType.RC, rig.peerCq, srq));
                QueuePair second = rig.pd.createQp(Mlx5Rig.attr(QpType.RC, rig.peerCq, srq));
                QueuePair sender = rig.pd.createQp(Mlx5Rig.attr(QpType.RC, rig.cq, null));
                QueuePair other = rig.pd.createQp(Mlx5Rig.attr(QpType.RC, rig.cq, null))) {
            pair(rig, sender, first);
            pair(rig, other, second);
            for (int i = 0; i < 5; i++) {
                require(srq.postRecv(bed.receive(FaultRig.PEERS + i)) == 0, "a receive was refused");
            }
            send(bed, sender, 1, FaultRig.LENGTH);
            send(bed, other, 2, FaultRig.LENGTH);
            send(bed, sender, 3, 2 * FaultRig.LENGTH);
            send(bed, sender, 4, FaultRig.LENGTH);
            List<String> seen = poll(bed);
            require(
                    seen.equals(List.of(
                            "1 ok of sender",
                            "2 ok of other",
                            "3 " + FaultRig.told(WcStatus.REM_INV_REQ_ERR, 0) + " of sender",
                            "4 flush of sender",
                            "2000 ok of first",
                            "2001 ok of second",
                            "2002 " + FaultRig.told(WcStatus.LOC_LEN_ERR, 0) + " of first")),
                    "" + seen);
            require(
                    event(bed, EventType.QP_LAST_WQE_REACHED).element() == first,
                    "event of another queue pair than the broken one");
            srq.modify(new SrqAttr().srqLimit(2));
            send(bed, other, 5, FaultRig.LENGTH);
            require(event(bed, EventType.SRQ_LIMIT_REACHED).element() == srq, "event of another queue");
            send(bed, other, 6, FaultRig.LENGTH);
            QpWalk.reset(first);
            QpWalk.reset(sender);
            pair(rig, sender, first);
            require(srq.postRecv(bed.receive(FaultRig.PEERS + 5)) == 0, "a receive was refused");
            send(bed, sender, 7, FaultRig.LENGTH);
            seen = poll(bed);
            require(
                    seen.equals(List.of(
                            "5 ok of other",
                            "6 ok of other",
                            "7 ok of sender",
                            "2003 ok of second",
                            "2004 ok of second",
                            "2005 ok of first")),
                    "" + seen);
        }
    }

    private static void pair(Mlx5Rig rig, QueuePair a, QueuePair b) {
        Mlx5Rig.connect(a, rig.path(), b.qpNum(), 0);
        Mlx5Rig.connect(b, rig.path(), a.qpNum(), 0);
    }

    private static void send(FaultRig bed, QueuePair from, int id, int length) {
        require(
                from.postSend(bed.send(id).sgList(ScatterGatherElement.of(bed.rig.mr, 0, length))) == 0,
                "a post was refused");
        Simulator.pump();
    }

    private static final String[] NAMES = {"qp", "peer", "first", "second", "sender", "other"};

    /** Numbers are handed out in order, so each queue pair has a name. */
    private static List<String> poll(FaultRig bed) {
        List<String> seen = new ArrayList<>();
        WorkCompletion[] wc = {new WorkCompletion()};
        while (bed.rig.cq.poll(1, wc) == 1 || bed.rig.peerCq.poll(1, wc) == 1) {
            seen.add(wc[0].wrId() + " " + FaultRig.told(wc[0].status(), wc[0].vendorErr()) + " of "
                    + NAMES[wc[0].qpNum() - bed.rig.qp.qpNum()]);
        }
        seen.forEach(bed::note);
        return seen;
    }

    /** All datagrams arrive, each in the next receive with the data sent, but not in the order of the sends. */
    private static void reordered(FaultRig bed) {
        Mlx5Rig rig = bed.rig;
        int count = Mlx5Rig.DEPTH;
        require(Simulator.device_sim_reorder(6, 12345) == 0, "reorder");
        try (AddressHandle ah = rig.pd.createAh(rig.path())) {
            for (int i = 0; i < count; i++) {
                NativeMemory.putLong(rig.mr.addr() + 8L * i, 1000 + i);
                RecvWorkRequest receive = new RecvWorkRequest()
                        .wrId(FaultRig.PEERS + i)
                        .sgList(ScatterGatherElement.of(rig.mr, FaultRig.TARGET + 64L * i, HEADER + Long.BYTES));
                require(rig.peer.postRecv(receive) == 0, "a receive was refused");
            }
            for (int i = 0; i < count; i++) {
                bed.post(bed.send(i)
                        .sendFlags(SendFlags.SIGNALED)
                        .ah(ah)
                        .remoteQpn(rig.peer.qpNum())
                        .remoteQkey(Mlx5Rig.QKEY)
                        .sgList(ScatterGatherElement.of(rig.mr, 8L * i, Long.BYTES)));
            }
            bed.work();
        } finally {
            Simulator.device_sim_reorder(0, 0);
        }
        List<Long> got = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            require(bed.log().contains(i + " ok"), "send " + i);
            require(bed.log().contains(FaultRig.PEERS + i + " ok"), "receive " + i);
            got.add(NativeMemory.getLong(rig.mr.addr() + FaultRig.TARGET + 64L * i + HEADER) - 1000);
        }
        List<Long> sorted = got.stream().sorted().distinct().toList();
        require(sorted.size() == count && sorted.get(0) == 0 && sorted.get(count - 1) == count - 1, "lost: " + got);
        require(!sorted.equals(got), "nothing came out of order");
        bed.note(got.toString());
    }
}
