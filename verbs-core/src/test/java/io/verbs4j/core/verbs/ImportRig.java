/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.verbs4j.AllocDmAttr;
import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.ContextSlot;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Fakes;
import io.verbs4j.core.discovery.Library;
import io.verbs4j.core.discovery.TimeLimit;
import io.verbs4j.slot.AllocDm;
import io.verbs4j.slot.ExportDevice;
import io.verbs4j.slot.ExportHandle;
import io.verbs4j.slot.FreeDm;
import io.verbs4j.slot.ImportDm;
import io.verbs4j.slot.ImportMr;
import io.verbs4j.slot.ImportPd;
import io.verbs4j.slot.RegDmMr;
import io.verbs4j.slot.UnimportDm;
import io.verbs4j.slot.UnimportMr;
import io.verbs4j.slot.UnimportPd;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The library over a provider of level 4 whose verbs about imports are mocks, of which some can be left out. */
final class ImportRig {
    final ContextOps ops = mock(ContextOps.class);
    final AllocDm allocDm = mock(AllocDm.class);
    final FreeDm freeDm = mock(FreeDm.class);
    final RegDmMr regDmMr = mock(RegDmMr.class);
    final ImportPd importPd = mock(ImportPd.class);
    final UnimportPd unimportPd = mock(UnimportPd.class);
    final ImportMr importMr = mock(ImportMr.class);
    final UnimportMr unimportMr = mock(UnimportMr.class);
    final ImportDm importDm = mock(ImportDm.class);
    final UnimportDm unimportDm = mock(UnimportDm.class);
    final ExportDevice exportDevice = mock(ExportDevice.class);
    final ExportHandle exportHandle = mock(ExportHandle.class);
    final Context context;

    /** A rig without the functions in some slots. */
    ImportRig(Integer... without) {
        Map<Integer, Object> functions = Map.ofEntries(
                Map.entry(ContextSlot.ALLOC_DM, allocDm),
                Map.entry(ContextSlot.FREE_DM, freeDm),
                Map.entry(ContextSlot.REG_DM_MR, regDmMr),
                Map.entry(ContextSlot.IMPORT_PD, importPd),
                Map.entry(ContextSlot.UNIMPORT_PD, unimportPd),
                Map.entry(ContextSlot.IMPORT_MR, importMr),
                Map.entry(ContextSlot.UNIMPORT_MR, unimportMr),
                Map.entry(ContextSlot.IMPORT_DM, importDm),
                Map.entry(ContextSlot.UNIMPORT_DM, unimportDm),
                Map.entry(ContextSlot.EXPORT_DEVICE, exportDevice),
                Map.entry(ContextSlot.EXPORT_HANDLE, exportHandle));
        Set<Integer> missing = new HashSet<>(List.of(without));
        Fakes.FakeDevice device = new Fakes.FakeDevice("imp0");
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
        when(ops.allocPd()).thenAnswer(i -> new Fakes.FakePd(context));
        when(ops.regMr(any(), anyLong(), anyLong(), anyInt()))
                .thenAnswer(
                        i -> new Fakes.FakeMr(i.getArgument(0), i.getArgument(1), i.getArgument(2), i.getArgument(3)));
        when(allocDm.allocDm(any()))
                .thenAnswer(i -> new MemoryRig.FakeDm(
                        context, i.<AllocDmAttr>getArgument(0).length()));
        when(regDmMr.regDmMr(any(), any(), anyLong(), anyLong(), anyInt()))
                .thenAnswer(i -> new Fakes.FakeMr(i.getArgument(0), 0, i.getArgument(3), i.getArgument(4)));
        when(importPd.importPd(anyInt())).thenAnswer(i -> new Fakes.FakePd(context));
        when(importMr.importMr(any(), anyInt())).thenAnswer(i -> new Fakes.FakeMr(i.getArgument(0), 0, 64, 0));
        when(importDm.importDm(anyInt(), anyLong())).thenAnswer(i -> new MemoryRig.FakeDm(context, i.getArgument(1)));
    }
}
