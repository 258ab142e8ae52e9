/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.Device;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpOpenAttr;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.XrcDomain;
import io.verbs4j.XrcdInitAttr;
import io.verbs4j.XrcdOpenFlags;
import io.verbs4j.core.Fakes;
import io.verbs4j.core.base.ProviderIdentity;
import io.verbs4j.core.discovery.DiscoveredProvider;
import io.verbs4j.core.discovery.Library;
import io.verbs4j.core.discovery.TimeLimit;
import io.verbs4j.slot.CloseXrcd;
import io.verbs4j.slot.CreateQpEx;
import io.verbs4j.slot.CreateSrqEx;
import io.verbs4j.slot.GetSrqNum;
import io.verbs4j.slot.OpenQp;
import io.verbs4j.slot.OpenXrcd;
import io.verbs4j.spi.ExtendedProvider;
import java.util.List;
import java.util.function.BiConsumer;

/** The library over a provider of level 2: its verbs, old and new, are mocks that make fakes. */
final class ExtendedRig {
    final ContextOps ops = mock(ContextOps.class);
    final OpenXrcd openXrcd = mock(OpenXrcd.class);
    final CloseXrcd closeXrcd = mock(CloseXrcd.class);
    final CreateSrqEx createSrqEx = mock(CreateSrqEx.class);
    final GetSrqNum getSrqNum = mock(GetSrqNum.class);
    final CreateQpEx createQpEx = mock(CreateQpEx.class);
    final OpenQp openQp = mock(OpenQp.class);
    final Fakes.FakeDevice device = new Fakes.FakeDevice("ext0");
    final Library library;
    final Context context;

    /** A provider of level 2 that fills its side of the table as it is told. */
    static final class Provider implements ExtendedProvider {
        private final Device device;
        private final ContextOps ops;
        private final int level;
        private final BiConsumer<ContextOps, ContextTable> init;

        Provider(Device device, ContextOps ops, int level, BiConsumer<ContextOps, ContextTable> init) {
            this.device = device;
            this.ops = ops;
            this.level = level;
            this.init = init;
        }

        @Override
        public String name() {
            return "ext";
        }

        @Override
        public int level() {
            return level;
        }

        @Override
        public int minimumLibraryLevel() {
            return 1;
        }

        @Override
        public List<? extends Device> devices() {
            return List.of(device);
        }

        @Override
        public ContextOps openDevice(Device which, Context context) {
            return ops;
        }

        @Override
        public void initContext(ContextOps opened, ContextTable table) {
            init.accept(opened, table);
        }

        DiscoveredProvider found() {
            return DiscoveredProvider.usable(
                    new ProviderIdentity("ext", getClass().getName(), "ext.jar", level, 1), this);
        }
    }

    ExtendedRig() {
        Provider provider = new Provider(device, ops, 2, (opened, table) -> fill(table));
        library = new Library(() -> List.of(provider.found()), TimeLimit::ofProperty);
        context = library.open(device, 2);
        stub();
        clearInvocations(ops);
    }

    private void fill(ContextTable table) {
        table.fillProvider(ContextSlot.OPEN_XRCD, openXrcd);
        table.fillProvider(ContextSlot.CLOSE_XRCD, closeXrcd);
        table.fillProvider(ContextSlot.CREATE_SRQ_EX, createSrqEx);
        table.fillProvider(ContextSlot.GET_SRQ_NUM, getSrqNum);
        table.fillProvider(ContextSlot.CREATE_QP_EX, createQpEx);
        table.fillProvider(ContextSlot.OPEN_QP, openQp);
    }

    private void stub() {
        when(ops.numCompVectors()).thenReturn(1);
        when(ops.allocPd()).thenAnswer(i -> new Fakes.FakePd(context));
        when(ops.createCq(anyInt(), any(), any(), anyInt()))
                .thenAnswer(i -> new Fakes.FakeCq(context, i.getArgument(0), i.getArgument(1), i.getArgument(2)));
        when(openXrcd.openXrcd(any())).thenAnswer(i -> new Fakes.FakeXrcd(context));
        when(createSrqEx.createSrqEx(any()))
                .thenAnswer(i -> new Fakes.FakeSrq(context, i.<SrqInitAttrEx>getArgument(0)));
        when(createQpEx.createQpEx(any()))
                .thenAnswer(i -> new Fakes.FakeQp(context, i.<QpInitAttrEx>getArgument(0), 77));
        when(openQp.openQp(any())).thenAnswer(i -> new Fakes.FakeQp(context, i.<QpOpenAttr>getArgument(0)));
        when(getSrqNum.getSrqNum(any())).thenReturn(0xabcdef);
    }

    XrcDomain xrcd() {
        return context.openXrcd(new XrcdInitAttr().file(null).oflags(XrcdOpenFlags.CREAT));
    }

    ProtectionDomain pd() {
        return context.allocPd();
    }

    CompletionQueue cq() {
        return context.createCq(4);
    }
}
