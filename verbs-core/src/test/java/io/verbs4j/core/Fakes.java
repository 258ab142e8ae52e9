/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core;

import io.verbs4j.AddressHandle;
import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.Device;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.NodeType;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpOpenAttr;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.TransportType;
import io.verbs4j.WorkCompletion;
import io.verbs4j.XrcDomain;
import io.verbs4j.core.base.ProviderIdentity;
import io.verbs4j.core.discovery.DiscoveredProvider;
import io.verbs4j.spi.VerbsProvider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/** What a provider makes, without a device behind it. */
public final class Fakes {
    private Fakes() {}

    public static final class FakeDevice extends Device {
        public FakeDevice(String name) {
            super(name, 1, NodeType.CA, TransportType.IB);
        }
    }

    /** A provider of the devices it is given; opens them as it is told. */
    public static final class FakeProvider implements VerbsProvider {
        public final String name;
        public final List<Device> devices = new ArrayList<>();
        private Supplier<List<Device>> list = () -> devices;
        public BiFunction<Device, Context, ContextOps> opener;

        public FakeProvider(String name, Device... devices) {
            this.name = name;
            this.devices.addAll(Arrays.asList(devices));
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public int level() {
            return 1;
        }

        @Override
        public int minimumLibraryLevel() {
            return 1;
        }

        @Override
        public List<? extends Device> devices() {
            return list.get();
        }

        /** From now on this says which devices there are. */
        public FakeProvider listing(Supplier<List<Device>> newList) {
            list = newList;
            return this;
        }

        @Override
        public ContextOps openDevice(Device device, Context context) {
            return opener.apply(device, context);
        }

        public DiscoveredProvider found() {
            return DiscoveredProvider.usable(
                    new ProviderIdentity(name, getClass().getName(), "here", 1, 1), this);
        }
    }

    public static final class FakePd extends ProtectionDomain {
        public FakePd(Context context) {
            super(context);
        }
    }

    public static final class FakeChannel extends CompletionChannel {
        public FakeChannel(Context context) {
            super(context);
        }
    }

    public static final class FakeMr extends MemoryRegion {
        public FakeMr(ProtectionDomain pd, long addr, long length, int access) {
            super(pd, addr, length, access, 11, 12);
        }

        public void changed(ProtectionDomain pd, long addr, long length, int access) {
            update(pd, addr, length, access, 13, 14);
        }
    }

    public static final class FakeMw extends MemoryWindow {
        public FakeMw(ProtectionDomain pd, int type) {
            super(pd, type, 21);
        }
    }

    public static final class FakeAh extends AddressHandle {
        public FakeAh(ProtectionDomain pd) {
            super(pd);
        }
    }

    public static final class FakeCq extends CompletionQueue {
        public FakeCq(Context context, int cqe, Object userContext, CompletionChannel channel) {
            super(context, cqe, userContext, channel);
        }

        public FakeCq(Context context, CqInitAttrEx attr) {
            super(context, attr.cqe(), attr.userContext(), attr.channel(), attr.wcFlags());
        }

        @Override
        public int poll(int numEntries, WorkCompletion[] wc) {
            return 0;
        }

        @Override
        public int reqNotify(boolean solicitedOnly) {
            return 0;
        }
    }

    public static final class FakeXrcd extends XrcDomain {
        public FakeXrcd(Context context) {
            super(context);
        }
    }

    public static final class FakeSrq extends SharedReceiveQueue {
        public FakeSrq(ProtectionDomain pd, SrqInitAttr attr) {
            super(pd, attr);
        }

        public FakeSrq(Context context, SrqInitAttrEx attr) {
            super(context, attr);
        }

        @Override
        public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
            return 0;
        }
    }

    public static final class FakeQp extends QueuePair {
        public FakeQp(ProtectionDomain pd, QpInitAttr attr, int qpNum) {
            super(pd, attr, qpNum);
        }

        public FakeQp(Context context, QpInitAttrEx attr, int qpNum) {
            super(context, attr, qpNum);
        }

        public FakeQp(Context context, QpOpenAttr attr) {
            super(context, attr);
        }

        @Override
        public int postSend(SendWorkRequest wr, SendWorkRequest[] badWr) {
            return 0;
        }

        @Override
        public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
            return 0;
        }

        @Override
        public int bindMw(MemoryWindow mw, MwBind bind) {
            return 0;
        }
    }
}
