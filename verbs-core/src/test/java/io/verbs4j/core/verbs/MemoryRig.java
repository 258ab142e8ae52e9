/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.verbs4j.AllocDmAttr;
import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.ContextSlot;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.DeviceAttr;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.DeviceMemory;
import io.verbs4j.ParentDomain;
import io.verbs4j.ParentDomainInitAttr;
import io.verbs4j.QpInitAttr;
import io.verbs4j.RegMrAttrEx;
import io.verbs4j.ThreadDomain;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Fakes;
import io.verbs4j.core.discovery.Library;
import io.verbs4j.core.discovery.TimeLimit;
import io.verbs4j.slot.AdviseMr;
import io.verbs4j.slot.AllocDm;
import io.verbs4j.slot.AllocMrKey;
import io.verbs4j.slot.AllocNullMr;
import io.verbs4j.slot.AllocParentDomain;
import io.verbs4j.slot.AllocTd;
import io.verbs4j.slot.CreateCqEx;
import io.verbs4j.slot.DeallocTd;
import io.verbs4j.slot.DmExportDmabufFd;
import io.verbs4j.slot.FreeDm;
import io.verbs4j.slot.QueryDeviceEx;
import io.verbs4j.slot.RegDmMr;
import io.verbs4j.slot.RegMrEx;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The library over a provider of level 3 whose verbs about memory and domains are mocks, of which some can be left out.
 */
final class MemoryRig {
    final ContextOps ops = mock(ContextOps.class);
    final QueryDeviceEx queryDeviceEx = mock(QueryDeviceEx.class);
    final RegMrEx regMrEx = mock(RegMrEx.class);
    final AdviseMr adviseMr = mock(AdviseMr.class);
    final AllocNullMr allocNullMr = mock(AllocNullMr.class);
    final AllocMrKey allocMrKey = mock(AllocMrKey.class);
    final AllocTd allocTd = mock(AllocTd.class);
    final DeallocTd deallocTd = mock(DeallocTd.class);
    final AllocParentDomain allocParentDomain = mock(AllocParentDomain.class);
    final AllocDm allocDm = mock(AllocDm.class);
    final FreeDm freeDm = mock(FreeDm.class);
    final RegDmMr regDmMr = mock(RegDmMr.class);
    final DmExportDmabufFd dmExportDmabufFd = mock(DmExportDmabufFd.class);
    final CreateCqEx createCqEx = mock(CreateCqEx.class);
    final Context context;

    /** A rig without the functions in some slots. */
    MemoryRig(Integer... without) {
        Map<Integer, Object> functions = Map.ofEntries(
                Map.entry(ContextSlot.QUERY_DEVICE_EX, queryDeviceEx),
                Map.entry(ContextSlot.REG_MR_EX, regMrEx),
                Map.entry(ContextSlot.ADVISE_MR, adviseMr),
                Map.entry(ContextSlot.ALLOC_NULL_MR, allocNullMr),
                Map.entry(ContextSlot.ALLOC_MR_KEY, allocMrKey),
                Map.entry(ContextSlot.ALLOC_TD, allocTd),
                Map.entry(ContextSlot.DEALLOC_TD, deallocTd),
                Map.entry(ContextSlot.ALLOC_PARENT_DOMAIN, allocParentDomain),
                Map.entry(ContextSlot.ALLOC_DM, allocDm),
                Map.entry(ContextSlot.FREE_DM, freeDm),
                Map.entry(ContextSlot.REG_DM_MR, regDmMr),
                Map.entry(ContextSlot.DM_EXPORT_DMABUF_FD, dmExportDmabufFd),
                Map.entry(ContextSlot.CREATE_CQ_EX, createCqEx));
        Set<Integer> missing = new HashSet<>(List.of(without));
        Fakes.FakeDevice device = new Fakes.FakeDevice("mem0");
        ExtendedRig.Provider provider = new ExtendedRig.Provider(
                device,
                ops,
                VerbsLevel.COMPLETIONS,
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
        when(ops.regMr(any(), anyLong(), anyLong(), anyInt()))
                .thenAnswer(
                        i -> new Fakes.FakeMr(i.getArgument(0), i.getArgument(1), i.getArgument(2), i.getArgument(3)));
        when(createCqEx.createCqEx(any())).thenAnswer(i -> new Fakes.FakeCq(context, i.<CqInitAttrEx>getArgument(0)));
        when(regMrEx.regMrEx(any(), any())).thenAnswer(i -> {
            RegMrAttrEx attr = i.getArgument(1);
            return new Fakes.FakeMr(i.getArgument(0), attr.iova(), attr.length(), attr.access());
        });
        doAnswer(i -> {
                    i.<DeviceAttrEx>getArgument(1).offer(DeviceAttrEx.ORIG_ATTR, new DeviceAttr());
                    return null;
                })
                .when(queryDeviceEx)
                .queryDeviceEx(any(), any());
        when(allocNullMr.allocNullMr(any())).thenAnswer(i -> new Fakes.FakeMr(i.getArgument(0), 0, -1, 0));
        when(allocMrKey.allocMrKey(any(), any())).thenAnswer(i -> new Fakes.FakeMr(i.getArgument(0), 0, 0, 0));
        when(allocTd.allocTd(any())).thenAnswer(i -> new FakeTd(context));
        when(allocParentDomain.allocParentDomain(any())).thenAnswer(i -> new FakeParentDomain(i.getArgument(0)));
        when(allocDm.allocDm(any()))
                .thenAnswer(
                        i -> new FakeDm(context, i.<AllocDmAttr>getArgument(0).length()));
        when(regDmMr.regDmMr(any(), any(), anyLong(), anyLong(), anyInt()))
                .thenAnswer(i -> new Fakes.FakeMr(i.getArgument(0), 0, i.getArgument(3), i.getArgument(4)));
    }

    static final class FakeTd extends ThreadDomain {
        FakeTd(Context context) {
            super(context);
        }
    }

    static final class FakeParentDomain extends ParentDomain {
        FakeParentDomain(ParentDomainInitAttr attr) {
            super(attr);
        }
    }

    static final class FakeDm extends DeviceMemory {
        FakeDm(Context context, long length) {
            super(context, length);
        }

        @Override
        public int copyTo(long dmOffset, ByteBuffer source) {
            return 0;
        }

        @Override
        public int copyFrom(ByteBuffer target, long dmOffset) {
            return 0;
        }
    }
}
