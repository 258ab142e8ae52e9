/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.ContextSlot;
import io.verbs4j.Counters;
import io.verbs4j.DeviceAttr;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.Flow;
import io.verbs4j.FlowAction;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.RwqIndTable;
import io.verbs4j.RwqIndTableInitAttr;
import io.verbs4j.RxHashFields;
import io.verbs4j.RxHashFunction;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WorkQueue;
import io.verbs4j.WqAttr;
import io.verbs4j.WqAttrMask;
import io.verbs4j.WqInitAttr;
import io.verbs4j.core.Fakes;
import io.verbs4j.core.discovery.Library;
import io.verbs4j.core.discovery.TimeLimit;
import io.verbs4j.slot.AttachCountersPointFlow;
import io.verbs4j.slot.CreateCounters;
import io.verbs4j.slot.CreateFlow;
import io.verbs4j.slot.CreateFlowActionEsp;
import io.verbs4j.slot.CreateQpEx;
import io.verbs4j.slot.CreateRwqIndTable;
import io.verbs4j.slot.CreateWq;
import io.verbs4j.slot.DestroyCounters;
import io.verbs4j.slot.DestroyFlow;
import io.verbs4j.slot.DestroyFlowAction;
import io.verbs4j.slot.DestroyRwqIndTable;
import io.verbs4j.slot.DestroyWq;
import io.verbs4j.slot.ModifyFlowActionEsp;
import io.verbs4j.slot.ModifyWq;
import io.verbs4j.slot.QueryDeviceEx;
import io.verbs4j.slot.ReadCounters;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The library over a provider of level 4 whose verbs about Ethernet are mocks, of which some can be left out. */
final class EthernetRig {
    static final int TABLE_SIZE = 8;

    final ContextOps ops = mock(ContextOps.class);
    final QueryDeviceEx queryDeviceEx = mock(QueryDeviceEx.class);
    final CreateQpEx createQpEx = mock(CreateQpEx.class);
    final CreateWq createWq = mock(CreateWq.class);
    final ModifyWq modifyWq = mock(ModifyWq.class);
    final DestroyWq destroyWq = mock(DestroyWq.class);
    final CreateRwqIndTable createRwqIndTable = mock(CreateRwqIndTable.class);
    final DestroyRwqIndTable destroyRwqIndTable = mock(DestroyRwqIndTable.class);
    final CreateFlow createFlow = mock(CreateFlow.class);
    final DestroyFlow destroyFlow = mock(DestroyFlow.class);
    final CreateCounters createCounters = mock(CreateCounters.class);
    final DestroyCounters destroyCounters = mock(DestroyCounters.class);
    final AttachCountersPointFlow attachCounters = mock(AttachCountersPointFlow.class);
    final ReadCounters readCounters = mock(ReadCounters.class);
    final CreateFlowActionEsp createAction = mock(CreateFlowActionEsp.class);
    final ModifyFlowActionEsp modifyAction = mock(ModifyFlowActionEsp.class);
    final DestroyFlowAction destroyAction = mock(DestroyFlowAction.class);
    final Context context;

    static final class FakeWq extends WorkQueue {
        FakeWq(Context context, WqInitAttr attr) {
            super(context, attr, 3);
        }

        void state(int newState) {
            updateWqState(newState);
        }

        @Override
        public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
            return 0;
        }
    }

    static final class FakeTable extends RwqIndTable {
        FakeTable(Context context, RwqIndTableInitAttr attr) {
            super(context, attr, 5);
        }
    }

    static final class FakeFlow extends Flow {
        FakeFlow(QueuePair qp) {
            super(qp);
        }
    }

    static final class FakeAction extends FlowAction {
        FakeAction(Context context) {
            super(context);
        }
    }

    static final class FakeCounters extends Counters {
        FakeCounters(Context context) {
            super(context);
        }
    }

    /** A rig without the functions in some slots. */
    EthernetRig(Integer... without) {
        Map<Integer, Object> functions = new HashMap<>();
        functions.put(ContextSlot.QUERY_DEVICE_EX, queryDeviceEx);
        functions.put(ContextSlot.CREATE_QP_EX, createQpEx);
        functions.put(ContextSlot.CREATE_WQ, createWq);
        functions.put(ContextSlot.MODIFY_WQ, modifyWq);
        functions.put(ContextSlot.DESTROY_WQ, destroyWq);
        functions.put(ContextSlot.CREATE_RWQ_IND_TABLE, createRwqIndTable);
        functions.put(ContextSlot.DESTROY_RWQ_IND_TABLE, destroyRwqIndTable);
        functions.put(ContextSlot.CREATE_FLOW, createFlow);
        functions.put(ContextSlot.DESTROY_FLOW, destroyFlow);
        functions.put(ContextSlot.CREATE_COUNTERS, createCounters);
        functions.put(ContextSlot.DESTROY_COUNTERS, destroyCounters);
        functions.put(ContextSlot.ATTACH_COUNTERS_POINT_FLOW, attachCounters);
        functions.put(ContextSlot.READ_COUNTERS, readCounters);
        functions.put(ContextSlot.CREATE_FLOW_ACTION_ESP, createAction);
        functions.put(ContextSlot.MODIFY_FLOW_ACTION_ESP, modifyAction);
        functions.put(ContextSlot.DESTROY_FLOW_ACTION, destroyAction);
        Set<Integer> missing = new HashSet<>(List.of(without));
        Fakes.FakeDevice device = new Fakes.FakeDevice("eth0");
        ExtendedRig.Provider provider = new ExtendedRig.Provider(
                device,
                ops,
                VerbsLevel.SHARING,
                (opened, table) -> functions.entrySet().stream()
                        .filter(entry -> !missing.contains(entry.getKey()))
                        .forEach(entry -> table.fillProvider(entry.getKey(), entry.getValue())));
        Library library = new Library(() -> List.of(provider.found()), TimeLimit::ofProperty);
        context = library.open(device, VerbsLevel.CURRENT);
        stub();
    }

    private void stub() {
        when(ops.numCompVectors()).thenReturn(1);
        when(ops.allocPd()).thenAnswer(i -> new Fakes.FakePd(context));
        when(ops.createCq(anyInt(), any(), any(), anyInt()))
                .thenAnswer(i -> new Fakes.FakeCq(context, i.getArgument(0), i.getArgument(1), i.getArgument(2)));
        doAnswer(i -> {
                    DeviceAttrEx attr = i.getArgument(1);
                    attr.offer(DeviceAttrEx.ORIG_ATTR, new DeviceAttr());
                    attr.offer(DeviceAttrEx.RSS_MAX_RWQ_INDIRECTION_TABLE_SIZE, TABLE_SIZE);
                    attr.offer(DeviceAttrEx.RSS_SUPPORTED_QPTS, 1 << QpType.RAW_PACKET);
                    attr.offer(
                            DeviceAttrEx.RSS_RX_HASH_FIELDS_MASK,
                            RxHashFields.SRC_IPV4
                                    | RxHashFields.DST_PORT_UDP
                                    | RxHashFields.DST_PORT_TCP
                                    | RxHashFields.SRC_IPV6);
                    attr.offer(DeviceAttrEx.RSS_RX_HASH_FUNCTION, RxHashFunction.TOEPLITZ);
                    return null;
                })
                .when(queryDeviceEx)
                .queryDeviceEx(any(), any());
        when(createQpEx.createQpEx(any()))
                .thenAnswer(i -> new Fakes.FakeQp(context, i.<QpInitAttrEx>getArgument(0), 77));
        when(createWq.createWq(any())).thenAnswer(i -> new FakeWq(context, i.getArgument(0)));
        doAnswer(i -> {
                    WqAttr attr = i.getArgument(1);
                    if ((attr.compMask() & WqAttrMask.STATE) != 0) {
                        i.<FakeWq>getArgument(0).state(attr.wqState());
                    }
                    return null;
                })
                .when(modifyWq)
                .modifyWq(any(), any());
        when(createFlow.createFlow(any(), any())).thenAnswer(i -> new FakeFlow(i.getArgument(0)));
        when(createAction.createFlowActionEsp(any())).thenAnswer(i -> new FakeAction(context));
        when(createCounters.createCounters(any())).thenAnswer(i -> new FakeCounters(context));
        when(createRwqIndTable.createRwqIndTable(any())).thenAnswer(i -> new FakeTable(context, i.getArgument(0)));
    }

    ProtectionDomain pd() {
        return context.allocPd();
    }

    CompletionQueue cq() {
        return context.createCq(4);
    }

    QueuePair rawQp() {
        QpInitAttrEx attr = new QpInitAttrEx().qpType(QpType.RAW_PACKET).pd(pd());
        return context.createQpEx(attr.sendCq(cq()).recvCq(attr.sendCq()));
    }

    WqInitAttr wqAttr() {
        return new WqInitAttr().maxWr(4).maxSge(1).pd(pd()).cq(cq());
    }
}
