/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package app;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ContextSlot;
import io.verbs4j.CounterAttachAttr;
import io.verbs4j.CounterDescription;
import io.verbs4j.Counters;
import io.verbs4j.CountersInitAttr;
import io.verbs4j.Flow;
import io.verbs4j.FlowAttr;
import io.verbs4j.FlowSpecEth;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RwqIndTable;
import io.verbs4j.RwqIndTableInitAttr;
import io.verbs4j.WorkQueue;
import io.verbs4j.WqAttr;
import io.verbs4j.WqInitAttr;
import io.verbs4j.WqState;

/** The verbs about Ethernet. Each is called whatever became of those before it. */
final class EthernetVerbs {
    private final Context context;
    private final BaseVerbs base;

    EthernetVerbs(Context context, BaseVerbs base) {
        this.context = context;
        this.base = base;
    }

    void run() {
        workQueues();
        Counters counters = Results.step(
                "new", "create_counters", () -> context.createCounters(new CountersInitAttr()));
        Results.step("new", "attach_counters_point_flow", () -> {
            CounterAttachAttr attr = new CounterAttachAttr().counterDesc(CounterDescription.PACKETS);
            Results.need(counters, "create_counters").attach(attr);
            return "";
        });
        Results.step("new", "read_counters", () -> {
            Results.need(counters, "create_counters").read(new long[1], 0);
            return "";
        });
        flows();
        Results.step("new", "destroy_counters", () -> closed(counters, "create_counters"));
    }

    private ProtectionDomain pd() {
        return Results.need(base.pd, "alloc_pd");
    }

    private static String closed(AutoCloseable handle, String maker) {
        Results.close(Results.need(handle, maker));
        return "";
    }

    private void workQueues() {
        WorkQueue wq = Results.step("new", "create_wq", () -> context.createWq(
                new WqInitAttr().maxWr(4).maxSge(1).pd(pd()).cq(Results.need(base.cq, "create_cq"))));
        Results.step("new", "modify_wq", () -> {
            Results.need(wq, "create_wq").modify(new WqAttr().wqState(WqState.RDY));
            return "";
        });
        RwqIndTable table = Results.step("new", "create_rwq_ind_table", () -> context.createRwqIndTable(
                wq == null ? new RwqIndTableInitAttr() : new RwqIndTableInitAttr().indTbl(wq)));
        Results.step("new", "destroy_rwq_ind_table", () -> closed(table, "create_rwq_ind_table"));
        Results.step("new", "destroy_wq", () -> closed(wq, "create_wq"));
    }

    /** Of a device without raw packets it is a queue pair of another type that is asked. */
    private void flows() {
        QueuePair qp = Results.step("old", "create_qp_for_flow", this::receiver);
        Flow flow = Results.step("new", "create_flow", () -> Results.need(qp, "create_qp_for_flow")
                .createFlow(new FlowAttr().port(1).specs(new FlowSpecEth())));
        Results.step("new", "destroy_flow", () -> closed(flow, "create_flow"));
        Results.step("old", "destroy_qp_for_flow", () -> closed(qp, "create_qp_for_flow"));
    }

    private QueuePair receiver() {
        boolean there = context.queryContext().hasVerb(ContextSlot.CREATE_FLOW);
        CompletionQueue cq = Results.need(base.cq, "create_cq");
        return pd().createQp(new QpInitAttr()
                .qpType(there ? QpType.RAW_PACKET : QpType.RC)
                .sendCq(cq)
                .recvCq(cq)
                .cap(base.capacities()));
    }
}
