/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package app;

import io.verbs4j.Context;
import io.verbs4j.ContextSlot;
import io.verbs4j.CounterAttachAttr;
import io.verbs4j.Counters;
import io.verbs4j.CountersInitAttr;
import io.verbs4j.Errno;
import io.verbs4j.Flow;
import io.verbs4j.FlowAttr;
import io.verbs4j.FlowSpecActionCount;
import io.verbs4j.FlowSpecActionTag;
import io.verbs4j.FlowSpecEth;
import io.verbs4j.InputAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpInitAttrMask;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RwqIndTable;
import io.verbs4j.RwqIndTableInitAttr;
import io.verbs4j.RxHashConf;
import io.verbs4j.RxHashFields;
import io.verbs4j.WorkQueue;
import io.verbs4j.WqAttr;
import io.verbs4j.WqInitAttr;
import io.verbs4j.WqState;
import java.util.List;

/** Every argument of the verbs about Ethernet, there and back, and what the library adds. */
class WitnessedEthernet extends WitnessedSharing {
    private static final int FIRST = ContextSlot.CREATE_WQ;
    private static final int LAST = ContextSlot.READ_COUNTERS;

    WitnessedEthernet(Context context) {
        super(context);
    }

    @Override
    void steps() {
        super.steps();
        boolean there = context.queryContext().hasVerb(FIRST);
        step("slots_of_ethernet", () -> slotsOfEthernet(there));
        if (there) {
            step("create_wq", this::workQueue);
            step("create_rwq_ind_table", this::table);
            step("create_qp_ex_rss", this::spreading);
            step("create_flow", this::flow);
            step("create_counters", this::counters);
        }
    }

    private void slotsOfEthernet(boolean there) {
        slotsOf4(FIRST, LAST, there);
        equal("read_counters", ContextSlot.verb(LAST));
    }

    private WqInitAttr attr() {
        return new WqInitAttr().userContext("mine").maxWr(37).maxSge(5).pd(pd).cq(receives);
    }

    /** With a bit of the library's, and with one of the device's. */
    private void unknown(InputAttr attr, Runnable verb) {
        attr.masks(attr.compMask() | 1L << 40, 0);
        refused(Errno.EOPNOTSUPP, "0x10000000000", verb);
        attr.masks(attr.compMask() & ~(1L << 40) | 1L << 20, 0);
        refused(Errno.EOPNOTSUPP, "", verb);
    }

    private void workQueue() {
        WqInitAttr attr = attr().createFlags(3);
        WorkQueue wq = arrives(attr, () -> context.createWq(attr));
        equal(1L, attr.compMask());
        equal(List.of(0, pd, receives, "mine"), List.of(wq.wqType(), wq.pd(), wq.cq(), wq.userContext()));
        refused(Errno.EINVAL, "maxWr", () -> context.createWq(attr().maxWr(0)));
        refused(Errno.EINVAL, "maxSge", () -> context.createWq(attr().maxSge(-1)));
        WqInitAttr later = attr();
        unknown(later, () -> context.createWq(later));
        WqAttr change = new WqAttr().wqState(WqState.RDY).currWqState(WqState.RESET).flags(2).flagsMask(6);
        arrives(change, () -> {
            wq.modify(change);
            return wq;
        });
        equal("@" + System.identityHashCode(wq), last().get("handle"));
        equal(7L, change.compMask());
        equal(WqState.RDY, wq.wqState());
        refused(Errno.EINVAL, "currWqState", () -> wq.modify(change));
        refused(Errno.EINVAL, "the mask is 0", () -> wq.modify(new WqAttr()));
        refused(Errno.EINVAL, "flagsMask lacks", () -> wq.modify(new WqAttr().flags(3).flagsMask(1)));
        refused(Errno.EINVAL, "flagsMask is 0", () -> wq.modify(new WqAttr().flagsMask(0)));
        refused(Errno.EINVAL, "wqState is 3", () -> wq.modify(new WqAttr().wqState(3)));
        wq.modify(new WqAttr().wqState(WqState.ERR));
        refused(Errno.EINVAL, "leads to RESET alone", () -> wq.modify(new WqAttr().wqState(WqState.RDY)));
        wq.modify(new WqAttr().wqState(WqState.RESET));
        refused(Errno.EINVAL, "leads to RDY alone", () -> wq.modify(new WqAttr().wqState(WqState.ERR)));
        WqAttr laterChange = new WqAttr().wqState(WqState.RDY);
        unknown(laterChange, () -> wq.modify(laterChange));
        refused(Errno.EBUSY, "1 work queue", () -> receives.close());
        wq.close();
        wq.close();
        equal("destroy_wq", last().get("verb"));
        equal("@" + System.identityHashCode(wq), last().get("handle"));
    }

    private static RwqIndTableInitAttr queues(WorkQueue... queues) {
        return new RwqIndTableInitAttr().indTbl(queues);
    }

    private void table() {
        WorkQueue one = context.createWq(attr());
        WorkQueue other = context.createWq(attr());
        RwqIndTable table = context.createRwqIndTable(queues(one, other, other, one));
        equal("@" + System.identityHashCode(one) + " @" + System.identityHashCode(other), last().get("queues"));
        equal(List.of(4, one, other), List.of(table.size(), table.workQueue(3), table.workQueue(2)));
        refused(Errno.EBUSY, "1 indirection table;", one::close);
        refused(Errno.EINVAL, "a power of two", () -> context.createRwqIndTable(queues(one, one, one)));
        refused(Errno.EINVAL, "a power of two", () -> context.createRwqIndTable(queues()));
        refused(Errno.EINVAL, "indTbl[1]", () -> context.createRwqIndTable(queues(one, null)));
        RwqIndTableInitAttr later = queues(one);
        unknown(later, () -> context.createRwqIndTable(later));
        table.close();
        equal("destroy_rwq_ind_table", last().get("verb"));
        one.close();
        other.close();
    }

    private QpInitAttrEx raw(RwqIndTable table) {
        QpInitAttrEx attr = new QpInitAttrEx().qpType(QpType.RAW_PACKET).pd(pd).rwqIndTbl(table);
        return attr.rxHashConf(new RxHashConf()
                .rxHashFunction(context.queryDeviceEx().rssRxHashFunction())
                .rxHashKey(new byte[40])
                .rxHashFieldsMask(RxHashFields.SRC_PORT_TCP));
    }

    private void spreading() {
        WorkQueue wq = context.createWq(attr());
        RwqIndTable table = context.createRwqIndTable(queues(wq));
        QpInitAttrEx attr = raw(table);
        QueuePair qp = context.createQpEx(attr);
        equal(QpInitAttrMask.PD | QpInitAttrMask.IND_TABLE | QpInitAttrMask.RX_HASH, attr.compMask());
        equal("@" + System.identityHashCode(table), last().get("rwqIndTbl"));
        equal("" + attr.rxHashConf().rxHashFunction(), last().get("rxHashConf.rxHashFunction"));
        equal("16", last().get("rxHashConf.rxHashFieldsMask"));
        equal(table, qp.rwqIndTbl());
        refused(Errno.EBUSY, "1 queue pair", table::close);
        qp.close();
        refused(Errno.EINVAL, "RX_HASH", () -> context.createQpEx(raw(table).rxHashConf(null)));
        refused(Errno.EINVAL, "IND_TABLE", () -> context.createQpEx(raw(null)));
        refused(Errno.EINVAL, "no receive queue", () -> context.createQpEx(raw(table).recvCq(receives)));
        QpInitAttrEx two = raw(table);
        two.rxHashConf().rxHashFieldsMask(RxHashFields.SRC_IPV4 | RxHashFields.SRC_IPV6);
        refused(Errno.EINVAL, "SRC_IPV4|SRC_IPV6", () -> context.createQpEx(two));
        QpInitAttrEx shorter = raw(table);
        shorter.rxHashConf().rxHashFunction(1).rxHashKey(new byte[8]);
        refused(Errno.EINVAL, "8 bytes", () -> context.createQpEx(shorter));
        refused(Errno.EINVAL, "maxTsoHeader", () -> context.createQpEx(raw(table).maxTsoHeader(-1)));
        table.close();
        wq.close();
    }

    private QueuePair rawQp() {
        return context.createQpEx(
                new QpInitAttrEx().qpType(QpType.RAW_PACKET).pd(pd).sendCq(sends).recvCq(receives));
    }

    private void flow() {
        QueuePair qp = rawQp();
        FlowSpecEth eth = new FlowSpecEth().etherType(0x88b5);
        FlowAttr attr = new FlowAttr().type(2).priority(7).port(3).flags(6).specs(eth, new FlowSpecActionTag(9));
        Flow flow = qp.createFlow(attr);
        equal("2 7 3 6 [" + eth + ", ACTION_TAG 0x9]", last().get("flow"));
        equal("@" + System.identityHashCode(qp), last().get("handle"));
        equal(qp, flow.qp());
        refused(Errno.EBUSY, "1 flow", qp::close);
        refused(Errno.EINVAL, "priority", () -> qp.createFlow(new FlowAttr().port(1).priority(1 << 16)));
        refused(Errno.EINVAL, "port", () -> qp.createFlow(new FlowAttr()));
        refused(Errno.EINVAL, "specs[0]", () -> qp.createFlow(new FlowAttr().port(1).specs(null, eth)));
        FlowAttr later = new FlowAttr().port(1);
        unknown(later, () -> qp.createFlow(later));
        flow.close();
        equal("destroy_flow", last().get("verb"));
        qp.close();
    }

    private void counters() {
        CountersInitAttr init = new CountersInitAttr();
        Counters counters = arrives(init, () -> context.createCounters(init));
        CounterAttachAttr attr = new CounterAttachAttr().counterDesc(1).index(3);
        arrives(attr, () -> {
            counters.attach(attr);
            return counters;
        });
        equal("null", last().get("flow"));
        refused(Errno.EINVAL, "index", () -> counters.attach(new CounterAttachAttr().index(-1)));
        QueuePair qp = rawQp();
        Flow flow = qp.createFlow(new FlowAttr().port(1).specs(new FlowSpecActionCount(counters)));
        counters.attach(attr, flow);
        equal("@" + System.identityHashCode(flow), last().get("flow"));
        refused(Errno.EBUSY, "1 flow", counters::close);
        long[] values = new long[2];
        counters.read(values, 1);
        equal(List.of(100L, 101L), List.of(values[0], values[1]));
        equal("1", last().get("flags"));
        refused(Errno.EINVAL, "values", () -> counters.read(new long[0], 0));
        CounterAttachAttr later = new CounterAttachAttr();
        unknown(later, () -> counters.attach(later));
        CountersInitAttr laterInit = new CountersInitAttr();
        unknown(laterInit, () -> context.createCounters(laterInit));
        flow.close();
        qp.close();
        counters.close();
        equal("destroy_counters", last().get("verb"));
        equal("@" + System.identityHashCode(counters), last().get("handle"));
    }
}
