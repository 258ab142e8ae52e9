/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static io.verbs4j.compat.kit.Unknown.NO_FLAG;
import static io.verbs4j.compat.kit.WorkQueueRig.DESCRIBED;
import static io.verbs4j.compat.kit.WorkQueueRig.FRAMES;
import static io.verbs4j.compat.kit.WorkQueueRig.MAC;
import static io.verbs4j.compat.kit.WorkQueueRig.QUEUES;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.RxHashFields;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkQueue;
import io.verbs4j.WqInitAttr;
import io.verbs4j.WqState;
import java.util.ArrayList;
import java.util.List;

/** R24 again: work queues, and queue pairs that spread frames over them. */
interface WorkQueueRules {
    @Rule(
            id = "R24.15",
            since = 4,
            says = "a work queue takes receives in RDY until it is full, flushes them in ERR and drops them in RESET",
            look = {"the functions in the slots CREATE_WQ and MODIFY_WQ", "WorkQueue.postRecv"},
            man = "ibv_create_wq(3), ibv_modify_wq(3), ibv_post_wq_recv(3)",
            needs = {Capability.ETHERNET, Capability.WORK_QUEUES})
    default void r2415States(WorkQueueRig rig) {
        rig.startFrames();
        CompletionQueue cq = rig.here.completions();
        WqInitAttr attr = rig.init(cq);
        WorkQueue wq = rig.workQueue(attr);
        Seen.atLeast("maxWr after createWq", FrameEnd.DEPTH, attr.maxWr());
        Seen.equal("wqState()", WqState.toString(WqState.RESET), WqState.toString(wq.wqState()));
        Seen.errno("postRecv in state RESET", Errno.EINVAL, wq.postRecv(rig.here.receive()));
        WorkQueueRig.to(wq, WqState.RDY);
        rig.post(wq, attr.maxWr());
        Seen.errno("postRecv of one request more than fits", Errno.ENOMEM, wq.postRecv(rig.here.receive()));
        rig.spreads(rig.table(wq), 0);
        byte[] frame = rig.send(Frame.to(MAC).data(70));
        rig.here.arrives(cq, frame);
        WorkQueueRig.to(wq, WqState.ERR);
        for (int i = 1; i < attr.maxWr(); i++) {
            rig.here.next(cq, WcStatus.WR_FLUSH_ERR);
        }
        WorkQueueRig.to(wq, WqState.RESET);
        WorkQueueRig.to(wq, WqState.RDY);
        rig.post(wq, 1);
        rig.here.arrives(cq, rig.send(Frame.to(MAC).data(71)));
        Seen.refuses("close of a work queue in a table", wq::close, Errno.EBUSY);
        Seen.refuses(
                "createWq with flag bit 20, which no level defines,",
                () -> rig.workQueue(rig.init(cq).createFlags(NO_FLAG)),
                Errno.EOPNOTSUPP);
        WqInitAttr masked = rig.init(cq);
        Seen.masks("createWq", masked, () -> rig.workQueue(masked));
    }

    @Rule(
            id = "R24.16",
            since = 4,
            says = "a frame goes to the work queue that the low bits of the Toeplitz hash of its fields select",
            look = {"the function in the slot CREATE_QP_EX (rwqIndTbl, rxHashConf)", "WorkQueue.postRecv"},
            man = DESCRIBED,
            needs = {Capability.ETHERNET, Capability.WORK_QUEUES})
    default void r2416Spread(WorkQueueRig rig) {
        rig.startFrames();
        long fields =
                RxHashFields.SRC_IPV4 | RxHashFields.DST_IPV4 | RxHashFields.SRC_PORT_UDP | RxHashFields.DST_PORT_UDP;
        List<byte[]> frames = new ArrayList<>();
        for (int i = 0; i < FRAMES; i++) {
            frames.add(Frame.to(MAC)
                    .srcIp(10, 0, i, 1)
                    .dstIp(10, 9, 9, i * 13)
                    .ports(1000 + 37 * i, 4000 + i % 3)
                    .data(40 + i)
                    .bytes());
        }
        List<Integer> expected = WorkQueueRig.expected(fields, frames);
        Seen.check(expected.stream().distinct().count() == QUEUES, "the kit's own frames do not cover all queues");
        Seen.equal("the list of table entries that frames took", expected, rig.spread(fields, frames));
    }

    @Rule(
            id = "R24.17",
            since = 4,
            says = "fields that were not chosen do not matter: frames that differ only in these share a work queue",
            look = {"the function in the slot CREATE_QP_EX (rxHashFieldsMask)"},
            man = DESCRIBED,
            needs = {Capability.ETHERNET, Capability.WORK_QUEUES})
    default void r2417Fields(WorkQueueRig rig) {
        rig.startFrames();
        List<byte[]> frames = new ArrayList<>();
        for (int i = 0; i < FRAMES; i++) {
            frames.add(Frame.to(MAC)
                    .srcIp(10, 0, 0, i % 4)
                    .ports(1000 + 37 * i, 4000)
                    .data(40 + i)
                    .bytes());
        }
        long fields = RxHashFields.SRC_IPV4;
        Seen.equal(
                "the list of table entries that frames took",
                WorkQueueRig.expected(fields, frames),
                rig.spread(fields, frames));
    }
}
