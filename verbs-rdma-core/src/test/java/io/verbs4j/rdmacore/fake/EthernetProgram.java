/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.fake;

import io.verbs4j.AsyncEvent;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ContextSlot;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.RwqIndTable;
import io.verbs4j.RwqIndTableInitAttr;
import io.verbs4j.RxHashConf;
import io.verbs4j.RxHashFields;
import io.verbs4j.RxHashFunction;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WorkQueue;
import io.verbs4j.WqAttr;
import io.verbs4j.WqFlags;
import io.verbs4j.WqInitAttr;
import io.verbs4j.WqState;
import io.verbs4j.WrOpcode;
import io.verbs4j.core.Verbs;
import java.util.concurrent.TimeUnit;

/** Uses all verbs about Ethernet of the first device, where it has them. */
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

    /** In RESET it takes none, in RDY those before the one that is refused. */
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
        wq.modify(new WqAttr().flags(0).flagsMask(WqFlags.SCATTER_FCS)); // upon which the queue fails
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

    private QpInitAttrEx spreading(RwqIndTable table, RxHashConf hash) {
        return new QpInitAttrEx()
                .qpType(QpType.RAW_PACKET)
                .pd(pd)
                .rwqIndTbl(table)
                .rxHashConf(hash);
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
