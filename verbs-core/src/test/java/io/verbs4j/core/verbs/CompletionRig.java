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
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.DeviceAttr;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.QpAttr;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Fakes;
import io.verbs4j.core.discovery.Library;
import io.verbs4j.core.discovery.TimeLimit;
import io.verbs4j.slot.CreateCqEx;
import io.verbs4j.slot.ModifyCq;
import io.verbs4j.slot.ModifyQpRateLimit;
import io.verbs4j.slot.QueryDeviceEx;
import io.verbs4j.slot.QueryEce;
import io.verbs4j.slot.QueryGidEx;
import io.verbs4j.slot.QueryGidTable;
import io.verbs4j.slot.QueryQpDataInOrder;
import io.verbs4j.slot.QueryValues;
import io.verbs4j.slot.SetEce;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The library over a provider of level 3: its new verbs are mocks, of which some can be left out. */
final class CompletionRig {
    final ContextOps ops = mock(ContextOps.class);
    final CreateCqEx createCqEx = mock(CreateCqEx.class);
    final QueryValues queryValues = mock(QueryValues.class);
    final QueryDeviceEx queryDeviceEx = mock(QueryDeviceEx.class);
    final ModifyCq modifyCq = mock(ModifyCq.class);
    final QueryGidEx queryGidEx = mock(QueryGidEx.class);
    final QueryGidTable queryGidTable = mock(QueryGidTable.class);
    final QueryQpDataInOrder dataInOrder = mock(QueryQpDataInOrder.class);
    final ModifyQpRateLimit rateLimit = mock(ModifyQpRateLimit.class);
    final SetEce setEce = mock(SetEce.class);
    final QueryEce queryEce = mock(QueryEce.class);
    final Context context;
    int state = QpState.RTS;

    /** What {@code query_device_ex} tells of the clock, in kHz. */
    long clockRate;

    /** A rig without the functions in some slots. */
    CompletionRig(Integer... without) {
        Map<Integer, Object> functions = new TreeMap<>(Map.of(
                ContextSlot.CREATE_CQ_EX, createCqEx,
                ContextSlot.QUERY_VALUES, queryValues,
                ContextSlot.QUERY_DEVICE_EX, queryDeviceEx,
                ContextSlot.MODIFY_CQ, modifyCq,
                ContextSlot.QUERY_GID_EX, queryGidEx,
                ContextSlot.QUERY_GID_TABLE, queryGidTable,
                ContextSlot.QUERY_QP_DATA_IN_ORDER, dataInOrder,
                ContextSlot.MODIFY_QP_RATE_LIMIT, rateLimit,
                ContextSlot.SET_ECE, setEce,
                ContextSlot.QUERY_ECE, queryEce));
        Set<Integer> missing = new HashSet<>(List.of(without));
        Fakes.FakeDevice device = new Fakes.FakeDevice("ext0");
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
        when(ops.createQp(any(), any()))
                .thenAnswer(i -> new Fakes.FakeQp(i.getArgument(0), i.<QpInitAttr>getArgument(1), 77));
        doAnswer(i -> i.<QpAttr>getArgument(1).qpState(state)).when(ops).queryQp(any(), any(), anyInt(), any());
        when(createCqEx.createCqEx(any())).thenAnswer(i -> new Fakes.FakeCq(context, i.<CqInitAttrEx>getArgument(0)));
        doAnswer(i -> {
                    DeviceAttrEx attr = i.getArgument(1);
                    attr.offer(
                            DeviceAttrEx.ORIG_ATTR,
                            new DeviceAttr().physPortCnt(2).deviceCaps(1L << 40 | 1));
                    return attr.offer(DeviceAttrEx.HCA_CORE_CLOCK, clockRate);
                })
                .when(queryDeviceEx)
                .queryDeviceEx(any(), any());
    }

    CompletionQueue cq() {
        return context.createCqEx(new CqInitAttrEx().cqe(4));
    }

    QueuePair qp() {
        CompletionQueue cq = context.createCq(4);
        return context.allocPd()
                .createQp(new QpInitAttr().qpType(QpType.RC).sendCq(cq).recvCq(cq));
    }
}
