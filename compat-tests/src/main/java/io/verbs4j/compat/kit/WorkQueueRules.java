/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.RwqIndTable;
import io.verbs4j.RwqIndTableInitAttr;
import io.verbs4j.RxHashConf;
import io.verbs4j.RxHashFields;
import io.verbs4j.RxHashFunction;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WorkQueue;
import io.verbs4j.WqAttr;
import io.verbs4j.WqInitAttr;
import io.verbs4j.WqState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** R24 again: work queues, and queue pairs that spread frames over them. */
abstract class WorkQueueRules extends FlowRules {
    private static final String DESCRIBED =
            "ibv_create_wq(3), ibv_create_rwq_ind_table(3), ibv_create_qp_ex(3) (rx_hash_conf)";
    private static final int QUEUES = 4;
    private static final int FRAMES = 16;
    private static final int NO_FLAG = 1 << 20;
    private static final byte[] MAC = mac(1);

    /** For {@link ProviderKit}. */
    WorkQueueRules() {}

    private WqInitAttr init(CompletionQueue cq) {
        return new WqInitAttr().maxWr(FrameEnd.DEPTH).maxSge(1).pd(here.pd).cq(cq);
    }

    private WorkQueue workQueue(WqInitAttr attr) {
        return made(WorkQueue.class, here.context.createWq(attr));
    }

    private static void to(WorkQueue wq, int state) {
        wq.modify(new WqAttr().wqState(state));
        Seen.equal("wqState()", WqState.toString(state), WqState.toString(wq.wqState()));
    }

    private void post(WorkQueue wq, int receives) {
        for (int i = 0; i < receives; i++) {
            Seen.errno("postRecv to a work queue", 0, wq.postRecv(here.receive()));
        }
    }

    private RwqIndTable table(WorkQueue... queues) {
        return made(RwqIndTable.class, here.context.createRwqIndTable(new RwqIndTableInitAttr().indTbl(queues)));
    }

    /** A key without a pattern, the same each time. */
    private static byte[] key() {
        byte[] key = new byte[Frame.KEY_BYTES];
        for (int i = 0; i < key.length; i++) {
            key[i] = (byte) (i * i * 37 + i * 101 + 0x6d);
        }
        return key;
    }

    /** A queue pair that spreads what is to {@link #MAC}, by some fields. */
    private QueuePair spreads(RwqIndTable table, long fields) {
        QueuePair qp = here.queuePair(new QpInitAttrEx()
                .qpType(QpType.RAW_PACKET)
                .pd(here.pd)
                .rwqIndTbl(table)
                .rxHashConf(new RxHashConf()
                        .rxHashFunction(RxHashFunction.TOEPLITZ)
                        .rxHashKey(key())
                        .rxHashFieldsMask(fields)));
        here.flow(qp, to(MAC));
        return qp;
    }

    @Rule(
            id = "R24.15",
            since = 4,
            says = "a work queue takes receives in RDY until it is full, flushes them in ERR and drops them in RESET",
            look = {"the functions in the slots CREATE_WQ and MODIFY_WQ", "WorkQueue.postRecv"},
            man = "ibv_create_wq(3), ibv_modify_wq(3), ibv_post_wq_recv(3)",
            needs = {Capability.ETHERNET, Capability.WORK_QUEUES})
    final void r2415States() {
        startFrames();
        CompletionQueue cq = here.completions();
        WqInitAttr attr = init(cq);
        WorkQueue wq = workQueue(attr);
        Seen.atLeast("maxWr after createWq", FrameEnd.DEPTH, attr.maxWr());
        Seen.equal("wqState()", WqState.toString(WqState.RESET), WqState.toString(wq.wqState()));
        Seen.errno("postRecv in state RESET", Errno.EINVAL, wq.postRecv(here.receive()));
        to(wq, WqState.RDY);
        post(wq, attr.maxWr());
        Seen.errno("postRecv of one more than fit", Errno.ENOMEM, wq.postRecv(here.receive()));
        spreads(table(wq), 0);
        byte[] frame = send(Frame.to(MAC).data(70));
        here.arrives(cq, frame);
        to(wq, WqState.ERR);
        for (int i = 1; i < attr.maxWr(); i++) {
            here.next(cq, WcStatus.WR_FLUSH_ERR);
        }
        to(wq, WqState.RESET);
        to(wq, WqState.RDY);
        post(wq, 1);
        here.arrives(cq, send(Frame.to(MAC).data(71)));
        Seen.refuses("close of a work queue in a table", wq::close, Errno.EBUSY);
        Seen.refuses(
                "createWq with flag bit 20, which no level has,",
                () -> workQueue(init(cq).createFlags(NO_FLAG)),
                Errno.EOPNOTSUPP);
        WqInitAttr masked = init(cq);
        masks("createWq", masked, () -> workQueue(masked));
    }

    /** Which of several work queues gets each of some frames. */
    private List<Integer> spread(long fields, List<byte[]> frames) {
        CompletionQueue cq = here.completions();
        WorkQueue[] queues = new WorkQueue[QUEUES];
        List<Set<Long>> receives = new ArrayList<>();
        for (int i = 0; i < QUEUES; i++) {
            queues[i] = workQueue(init(cq));
            to(queues[i], WqState.RDY);
            receives.add(new HashSet<>());
        }
        spreads(table(queues), fields);
        List<Integer> places = new ArrayList<>();
        for (byte[] frame : frames) {
            for (int i = 0; i < QUEUES; i++) {
                while (receives.get(i).size() < 2) {
                    RecvWorkRequest receive = here.receive();
                    receives.get(i).add(receive.wrId());
                    Seen.errno("postRecv to a work queue", 0, queues[i].postRecv(receive));
                }
            }
            there.send(sender, there.request(frame, 0));
            WorkCompletion wc = here.arrives(cq, frame);
            for (int i = 0; i < QUEUES; i++) {
                if (receives.get(i).remove(wc.wrId())) {
                    places.add(i);
                }
            }
        }
        return places;
    }

    private static List<Integer> expected(long fields, List<byte[]> frames) {
        return frames.stream()
                .map(frame -> Frame.hash(frame, key(), fields) & QUEUES - 1)
                .toList();
    }

    @Rule(
            id = "R24.16",
            since = 4,
            says = "a frame goes to the work queue that the low bits of the Toeplitz hash of its fields select",
            look = {"the function in the slot CREATE_QP_EX (rwqIndTbl, rxHashConf)", "WorkQueue.postRecv"},
            man = DESCRIBED,
            needs = {Capability.ETHERNET, Capability.WORK_QUEUES})
    final void r2416Spread() {
        startFrames();
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
        List<Integer> expected = expected(fields, frames);
        Seen.check(
                expected.stream().distinct().count() == QUEUES, "the kit's own frames are not for all of the queues");
        Seen.equal("the places of the table that frames came by", expected, spread(fields, frames));
    }

    @Rule(
            id = "R24.17",
            since = 4,
            says = "fields that were not chosen do not matter: frames that differ only in these share a work queue",
            look = {"the function in the slot CREATE_QP_EX (rxHashFieldsMask)"},
            man = DESCRIBED,
            needs = {Capability.ETHERNET, Capability.WORK_QUEUES})
    final void r2417Fields() {
        startFrames();
        List<byte[]> frames = new ArrayList<>();
        for (int i = 0; i < FRAMES; i++) {
            frames.add(Frame.to(MAC)
                    .srcIp(10, 0, 0, i % 4)
                    .ports(1000 + 37 * i, 4000)
                    .data(40 + i)
                    .bytes());
        }
        long fields = RxHashFields.SRC_IPV4;
        Seen.equal("the places of the table that frames came by", expected(fields, frames), spread(fields, frames));
    }
}
