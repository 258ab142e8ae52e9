/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package witness;

import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.CounterAttachAttr;
import io.verbs4j.Counters;
import io.verbs4j.CountersInitAttr;
import io.verbs4j.Flow;
import io.verbs4j.FlowAttr;
import io.verbs4j.QpCap;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.RwqIndTable;
import io.verbs4j.RwqIndTableInitAttr;
import io.verbs4j.WorkQueue;
import io.verbs4j.WqAttr;
import io.verbs4j.WqAttrMask;
import io.verbs4j.WqInitAttr;
import io.verbs4j.WqInitAttrMask;
import io.verbs4j.slot.AttachCountersPointFlow;
import io.verbs4j.slot.CreateCounters;
import io.verbs4j.slot.CreateFlow;
import io.verbs4j.slot.CreateRwqIndTable;
import io.verbs4j.slot.CreateWq;
import io.verbs4j.slot.DestroyCounters;
import io.verbs4j.slot.DestroyFlow;
import io.verbs4j.slot.DestroyRwqIndTable;
import io.verbs4j.slot.DestroyWq;
import io.verbs4j.slot.ModifyWq;
import io.verbs4j.slot.ReadCounters;
import java.util.Arrays;
import java.util.Map;

/** The verbs about Ethernet: nothing moves, and all that was given can be looked at. */
final class EthernetOps {
    private static final int FIRST_VALUE = 100;

    private final MemoryOps ops;

    EthernetOps(MemoryOps ops) {
        this.ops = ops;
    }

    private static final class Wq extends WorkQueue {
        Wq(MemoryOps ops, WqInitAttr attr) {
            super(ops.context, attr, 7);
        }

        void state(int newState) {
            updateWqState(newState);
        }

        @Override
        public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
            return 0;
        }
    }

    void fill(ContextTable table) {
        table.fillProvider(ContextSlot.CREATE_WQ, (CreateWq) this::createWq);
        table.fillProvider(ContextSlot.MODIFY_WQ, (ModifyWq) this::modifyWq);
        DestroyWq destroyWq = wq -> ops.seen("destroy_wq", new QpCap(), wq);
        table.fillProvider(ContextSlot.DESTROY_WQ, destroyWq);
        table.fillProvider(ContextSlot.CREATE_RWQ_IND_TABLE, (CreateRwqIndTable) this::createTable);
        DestroyRwqIndTable destroyTable = t -> ops.seen("destroy_rwq_ind_table", new QpCap(), t);
        table.fillProvider(ContextSlot.DESTROY_RWQ_IND_TABLE, destroyTable);
        table.fillProvider(ContextSlot.CREATE_FLOW, (CreateFlow) this::createFlow);
        DestroyFlow destroyFlow = flow -> ops.seen("destroy_flow", new QpCap(), flow);
        table.fillProvider(ContextSlot.DESTROY_FLOW, destroyFlow);
        table.fillProvider(ContextSlot.CREATE_COUNTERS, (CreateCounters) this::createCounters);
        DestroyCounters destroyCounters = counters -> ops.seen("destroy_counters", new QpCap(), counters);
        table.fillProvider(ContextSlot.DESTROY_COUNTERS, destroyCounters);
        table.fillProvider(ContextSlot.ATTACH_COUNTERS_POINT_FLOW, (AttachCountersPointFlow) this::attach);
        table.fillProvider(ContextSlot.READ_COUNTERS, (ReadCounters) this::read);
    }

    private WorkQueue createWq(WqInitAttr attr) {
        ops.see("create_wq", attr);
        ops.mask("create_wq", attr, WqInitAttrMask.FLAGS);
        return new Wq(ops, attr);
    }

    private void modifyWq(WorkQueue wq, WqAttr attr) {
        ops.seen("modify_wq", attr, wq);
        ops.mask("modify_wq", attr, WqAttrMask.STATE | WqAttrMask.CURR_STATE | WqAttrMask.FLAGS);
        if ((attr.compMask() & WqAttrMask.STATE) != 0) {
            ((Wq) wq).state(attr.wqState());
        }
    }

    private RwqIndTable createTable(RwqIndTableInitAttr attr) {
        Map<String, String> seen = ops.see("create_rwq_ind_table", new QpCap());
        WorkQueue[] queues = attr.indTbl();
        seen.put("queues", at(queues[0]) + " " + at(queues[queues.length - 1 >> 1]));
        ops.mask("create_rwq_ind_table", attr, 0);
        return new RwqIndTable(ops.context, attr, 8) {};
    }

    private static String at(Object handle) {
        return handle == null ? "null" : "@" + System.identityHashCode(handle);
    }

    private Flow createFlow(QueuePair qp, FlowAttr attr) {
        Map<String, String> seen = ops.seen("create_flow", new QpCap(), qp);
        seen.put("flow", attr.type() + " " + attr.priority() + " " + attr.port() + " " + attr.flags() + " "
                + Arrays.toString(attr.specs()));
        ops.mask("create_flow", attr, 0);
        return new Flow(qp) {};
    }

    private Counters createCounters(CountersInitAttr attr) {
        ops.see("create_counters", attr);
        ops.mask("create_counters", attr, 0);
        return new Counters(ops.context) {};
    }

    private void attach(Counters counters, CounterAttachAttr attr, Flow flow) {
        ops.seen("attach_counters_point_flow", attr, counters).put("flow", at(flow));
        ops.mask("attach_counters_point_flow", attr, 0);
    }

    private void read(Counters counters, long[] values, int flags) {
        ops.seen("read_counters", new QpCap(), counters).put("flags", "" + flags);
        for (int i = 0; i < values.length; i++) {
            values[i] = FIRST_VALUE + i;
        }
    }
}
