/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.fake.programs;

import io.verbs4j.AsyncEvent;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ContextSlot;
import io.verbs4j.CounterAttachAttr;
import io.verbs4j.CounterDescription;
import io.verbs4j.Counters;
import io.verbs4j.CountersInitAttr;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.Flow;
import io.verbs4j.FlowAttr;
import io.verbs4j.FlowFlags;
import io.verbs4j.FlowSpec;
import io.verbs4j.FlowSpecActionCount;
import io.verbs4j.FlowSpecActionDrop;
import io.verbs4j.FlowSpecActionTag;
import io.verbs4j.FlowSpecEsp;
import io.verbs4j.FlowSpecEth;
import io.verbs4j.FlowSpecGre;
import io.verbs4j.FlowSpecIpv4;
import io.verbs4j.FlowSpecIpv4Ext;
import io.verbs4j.FlowSpecIpv6;
import io.verbs4j.FlowSpecMpls;
import io.verbs4j.FlowSpecTcpUdp;
import io.verbs4j.FlowSpecTunnel;
import io.verbs4j.FlowType;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.ReadCountersFlags;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.RwqIndTable;
import io.verbs4j.RwqIndTableInitAttr;
import io.verbs4j.RxHashConf;
import io.verbs4j.RxHashFields;
import io.verbs4j.RxHashFunction;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WcExFlags;
import io.verbs4j.WcFlags;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WorkQueue;
import io.verbs4j.WqAttr;
import io.verbs4j.WqFlags;
import io.verbs4j.WqInitAttr;
import io.verbs4j.WqState;
import io.verbs4j.WrOpcode;
import io.verbs4j.core.Verbs;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** Uses all Ethernet verbs that the first device supports. */
public final class EthernetProgram {
    private static final int FULL = 99;

    private final Context context;
    private final ProtectionDomain pd;
    private final CompletionQueue cq;

    private EthernetProgram(Context context) {
        this.context = context;
        pd = context.allocPd();
        cq = context.createCq(16);
    }

    public static void main(String[] args) {
        try (Context context = Verbs.open(Verbs.devices().get(0), VerbsLevel.CURRENT)) {
            for (int slot = ContextSlot.CREATE_WQ; slot < ContextSlot.LEVEL_4_COUNT; slot++) {
                if (context.queryContext().hasVerb(slot)) {
                    System.out.println("has " + ContextSlot.verb(slot));
                }
            }
            EthernetProgram program = new EthernetProgram(context);
            if (context.queryContext().hasVerb(ContextSlot.CREATE_WQ)) {
                program.workQueues();
                program.segments();
                program.packets();
            }
            program.cq.close();
            program.pd.close();
        }
    }

    private WqInitAttr wqAttr() {
        return new WqInitAttr().maxWr(100).maxSge(2).pd(pd).cq(cq);
    }

    private void workQueues() {
        DeviceAttrEx device = context.queryDeviceEx();
        System.out.println("device " + device.maxWqTypeRq() + " " + device.rssMaxRwqIndirectionTableSize() + " "
                + RxHashFields.toString(device.rssRxHashFieldsMask()));
        WqInitAttr attr = wqAttr().createFlags(WqFlags.CVLAN_STRIPPING | WqFlags.DELAY_DROP);
        try (WorkQueue wq = context.createWq(attr);
                WorkQueue other = context.createWq(wqAttr().maxSge(3))) {
            System.out.println(
                    "given " + attr.maxWr() + " " + attr.maxSge() + ", numbers " + wq.wqNum() + " " + other.wqNum());
            post(wq);
            failing("another type", () -> context.createWq(wqAttr().wqType(7)));
            failing("another flag", () -> context.createWq(wqAttr().createFlags(1 << 20)));
            states(wq);
            spread(wq, other);
        }
    }

    /** In RESET the queue takes no requests, in RDY those before the refused one. */
    private static void post(WorkQueue wq) {
        ScatterGatherElement[] element = {
            new ScatterGatherElement().addr(0x1234).length(64).lkey(0xab)
        };
        RecvWorkRequest last = new RecvWorkRequest().wrId(8).sgList(element);
        RecvWorkRequest full = new RecvWorkRequest().wrId(FULL).sgList(element).next(last);
        RecvWorkRequest first = new RecvWorkRequest().wrId(7).sgList(element).next(full);
        System.out.println("in RESET " + wq.postRecv(first));
        wq.modify(new WqAttr().wqState(WqState.RDY).currWqState(WqState.RESET));
        RecvWorkRequest[] bad = new RecvWorkRequest[1];
        System.out.println("in RDY " + wq.postRecv(first, bad) + " " + bad[0].wrId());
    }

    private void states(WorkQueue wq) {
        wq.modify(new WqAttr().flags(0).flagsMask(WqFlags.CVLAN_STRIPPING));
        failing("padding", () -> wq.modify(new WqAttr().flags(0).flagsMask(WqFlags.PCI_WRITE_END_PADDING)));
        failing("unknown flag", () -> wq.modify(new WqAttr().flags(0).flagsMask(1 << 9)));
        wq.modify(new WqAttr().flags(0).flagsMask(WqFlags.SCATTER_FCS)); // the queue then fails
        AsyncEvent event = context.getAsyncEvent(20, TimeUnit.SECONDS);
        System.out.println("event " + event + ", " + (event.element() == wq) + " " + WqState.toString(wq.wqState()));
        wq.modify(new WqAttr().wqState(WqState.RESET));
        System.out.println("state " + WqState.toString(wq.wqState()));
    }

    private void spread(WorkQueue wq, WorkQueue other) {
        byte[] key = new byte[40];
        key[0] = 10;
        key[39] = (byte) 200;
        RxHashConf hash = new RxHashConf()
                .rxHashFunction(RxHashFunction.TOEPLITZ)
                .rxHashKey(key)
                .rxHashFieldsMask(RxHashFields.SRC_IPV4 | RxHashFields.INNER);
        try (RwqIndTable table = context.createRwqIndTable(new RwqIndTableInitAttr().indTbl(wq, other, other, wq));
                QueuePair qp = context.createQpEx(spreading(table, hash))) {
            System.out.println("table " + table.indTblNum() + ", queue pair " + qp.qpNum());
            flows(qp);
            EspActionCases.run(context, qp);
            System.out.println("posts " + qp.postSend(new SendWorkRequest().opcode(WrOpcode.SEND)) + " "
                    + qp.postRecv(new RecvWorkRequest()));
            failing(
                    "one that sends",
                    () -> context.createQpEx(spreading(table, hash).sendCq(cq)));
            failing(
                    "operations",
                    () -> context.createQpEx(spreading(table, hash).sendOpsFlags(4)));
        }
    }

    private void flows(QueuePair qp) {
        boolean counts = context.queryContext().hasVerb(ContextSlot.CREATE_COUNTERS);
        Counters counters = counts ? context.createCounters(new CountersInitAttr()) : null;
        FlowSpec last = counts ? new FlowSpecActionCount(counters) : new FlowSpecActionDrop();
        FlowAttr attr = new FlowAttr()
                .priority(7)
                .port(2)
                .flags(FlowFlags.DONT_TRAP)
                .specs(
                        new FlowSpecEth().dstMac(new byte[] {2, 0, 0, 0, 0, 1}).vlanTag(0x123, 0xfff),
                        new FlowSpecIpv4().srcIp(new byte[] {10, 0, 0, 1}),
                        FlowSpecTcpUdp.udp().dstPort(4789),
                        new FlowSpecTunnel().tunnelId(0x42),
                        new FlowSpecIpv6().inner(true).nextHdr(6),
                        FlowSpecTcpUdp.tcp().inner(true).srcPort(80),
                        new FlowSpecActionTag(0xabcdef),
                        last);
        if (counts) {
            counters.attach(new CounterAttachAttr()
                    .counterDesc(CounterDescription.BYTES)
                    .index(1));
        }
        try (Flow flow = qp.createFlow(attr);
                Flow rest = qp.createFlow(new FlowAttr()
                        .port(1)
                        .type(FlowType.MC_DEFAULT)
                        .specs(
                                new FlowSpecIpv4Ext().proto(17),
                                new FlowSpecGre().key(1),
                                new FlowSpecMpls().label(2),
                                new FlowSpecEsp().spi(3),
                                new FlowSpecActionDrop()))) {
            System.out.println("flows to " + (flow.qp() == qp) + " " + (rest.qp() == qp));
            failing(
                    "another flag of flows",
                    () -> qp.createFlow(new FlowAttr().port(1).flags(1 << 12)));
            failing("a wrong flow", () -> qp.createFlow(new FlowAttr().port(1).priority(404)));
            if (counts) {
                count(counters, flow);
            }
        }
        if (counts) {
            counters.close();
        }
    }

    private static void count(Counters counters, Flow flow) {
        failing("attach to a flow", () -> counters.attach(new CounterAttachAttr().index(2), flow));
        long[] values = new long[2];
        counters.read(values, ReadCountersFlags.PREFER_CACHED);
        System.out.println("values " + values[0] + " " + values[1]);
        failing("too many", () -> counters.read(new long[5], 0));
        failing("another flag of counters", () -> counters.read(values, 2));
    }

    private QpInitAttrEx spreading(RwqIndTable table, RxHashConf hash) {
        return new QpInitAttrEx()
                .qpType(QpType.RAW_PACKET)
                .pd(pd)
                .rwqIndTbl(table)
                .rxHashConf(hash);
    }

    private QpInitAttrEx raw() {
        QpInitAttrEx attr =
                new QpInitAttrEx().qpType(QpType.RAW_PACKET).pd(pd).sendCq(cq).recvCq(cq);
        attr.cap().maxSendWr(4).maxSendSge(1);
        return attr;
    }

    /** Sends a segment, and a frame with checksums. */
    private void segments() {
        ByteBuffer memory = ByteBuffer.allocateDirect(256).put("the-headers".getBytes(StandardCharsets.US_ASCII));
        long operations = QpCreateSendOps.SEND | QpCreateSendOps.TSO;
        try (MemoryRegion mr = pd.regMr(memory.clear(), 0);
                QueuePair qp = context.createQpEx(raw().maxTsoHeader(64).sendOpsFlags(operations))) {
            for (int state : new int[] {QpState.INIT, QpState.RTR, QpState.RTS}) {
                qp.modify(new QpAttr().qpState(state));
            }
            ScatterGatherElement data =
                    new ScatterGatherElement().addr(mr.addr() + 64).length(100).lkey(mr.lkey());
            ScatterGatherElement header =
                    new ScatterGatherElement().addr(mr.addr()).length(11).lkey(mr.lkey());
            SendWorkRequest frame = new SendWorkRequest()
                    .wrId(2)
                    .opcode(WrOpcode.SEND)
                    .sendFlags(SendFlags.IP_CSUM | SendFlags.SIGNALED)
                    .sgList(data);
            SendWorkRequest tso = new SendWorkRequest()
                    .wrId(1)
                    .opcode(WrOpcode.TSO)
                    .sgList(data)
                    .tsoHeader(header)
                    .mss(30)
                    .next(frame);
            System.out.println("posted " + qp.postSend(tso));
            header.lkey(mr.lkey() + 1);
            System.out.println("another key " + qp.postSend(tso));
        }
        failing(
                "headers on UD",
                () -> context.createQpEx(raw().qpType(QpType.UD).maxTsoHeader(64)));
    }

    /** Reads the packet fields of completions, in place and by polling. */
    private void packets() {
        long wanted = WcExFlags.CVLAN | WcExFlags.FLOW_TAG;
        try (CompletionQueue ex = context.createCqEx(new CqInitAttrEx().cqe(4).wcFlags(wanted))) {
            System.out.println("start " + ex.startPoll(null) + " vlan " + ex.readCvlan() + " tag " + ex.readFlowTag()
                    + " " + WcFlags.toString(ex.readWcFlags()) + " next " + ex.nextPoll() + " end " + ex.endPoll());
        }
        WorkCompletion[] wc = {new WorkCompletion()};
        try (CompletionQueue ex = context.createCqEx(new CqInitAttrEx().cqe(4).wcFlags(wanted))) {
            System.out.println("polled " + ex.poll(1, wc, WorkCompletion.SIZE) + " vlan " + wc[0].cvlan() + " tag "
                    + wc[0].flowTag() + " mask " + wc[0].compMask());
        }
        try (CompletionQueue ex = context.createCqEx(new CqInitAttrEx().cqe(4).wcFlags(WcExFlags.CVLAN))) {
            ex.startPoll(null);
            System.out.println("one of them " + ex.readCvlan());
            failing("the other", ex::readFlowTag);
            ex.endPoll();
        }
    }

    private static void failing(String what, Runnable verb) {
        try {
            verb.run();
            System.out.println(what + ": nothing failed");
        } catch (VerbsException e) {
            System.out.println(what + ": " + e.getMessage());
        }
    }
}
