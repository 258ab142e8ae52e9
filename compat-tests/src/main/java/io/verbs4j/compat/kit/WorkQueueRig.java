/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.CompletionQueue;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.RwqIndTable;
import io.verbs4j.RwqIndTableInitAttr;
import io.verbs4j.RxHashConf;
import io.verbs4j.RxHashFunction;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WorkQueue;
import io.verbs4j.WqAttr;
import io.verbs4j.WqInitAttr;
import io.verbs4j.WqState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Work queues, and queue pairs that spread frames over them. See {@link WorkQueueRules}. */
final class WorkQueueRig extends FrameRig {
    static final String DESCRIBED = "ibv_create_wq(3), ibv_create_rwq_ind_table(3), ibv_create_qp_ex(3) (rx_hash_conf)";
    static final int QUEUES = 4;
    static final int FRAMES = 16;
    static final byte[] MAC = mac(1);

    WorkQueueRig(ProviderKit kit) {
        super(kit);
    }

    WqInitAttr init(CompletionQueue cq) {
        return new WqInitAttr().maxWr(FrameEnd.DEPTH).maxSge(1).pd(here.pd).cq(cq);
    }

    WorkQueue workQueue(WqInitAttr attr) {
        return made(WorkQueue.class, here.context.createWq(attr));
    }

    static void to(WorkQueue wq, int state) {
        wq.modify(new WqAttr().wqState(state));
        Seen.equal("wqState()", WqState.toString(state), WqState.toString(wq.wqState()));
    }

    void post(WorkQueue wq, int receives) {
        for (int i = 0; i < receives; i++) {
            Seen.errno("postRecv to a work queue", 0, wq.postRecv(here.receive()));
        }
    }

    RwqIndTable table(WorkQueue... queues) {
        return made(RwqIndTable.class, here.context.createRwqIndTable(new RwqIndTableInitAttr().indTbl(queues)));
    }

    /** {@return a key without a pattern, the same each time} */
    private static byte[] key() {
        byte[] key = new byte[Frame.KEY_BYTES];
        for (int i = 0; i < key.length; i++) {
            key[i] = (byte) (i * i * 37 + i * 101 + 0x6d);
        }
        return key;
    }

    /** {@return a queue pair that spreads frames to {@link #MAC} by some fields} */
    QueuePair spreads(RwqIndTable table, long fields) {
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

    /** {@return which of several work queues gets each of some frames} */
    List<Integer> spread(long fields, List<byte[]> frames) {
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

    static List<Integer> expected(long fields, List<byte[]> frames) {
        return frames.stream()
                .map(frame -> Frame.hash(frame, key(), fields) & QUEUES - 1)
                .toList();
    }
}
