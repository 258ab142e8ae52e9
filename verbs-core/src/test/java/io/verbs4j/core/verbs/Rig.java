/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.verbs4j.AccessFlags;
import io.verbs4j.AddressHandle;
import io.verbs4j.AhAttr;
import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.Gid;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwType;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.core.Fakes;
import io.verbs4j.core.discovery.Library;
import io.verbs4j.core.discovery.TimeLimit;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The library over a provider whose verbs are a mock that makes fakes; at the start nothing was called. */
final class Rig {
    final ContextOps ops = mock(ContextOps.class);
    final Fakes.FakeDevice device;
    final Fakes.FakeProvider provider;
    final Library library;
    final Context context;
    private volatile Throwable fault;
    private volatile Runnable onCall = () -> {};
    private final AtomicInteger qpNum = new AtomicInteger(16);

    Rig() {
        this("fake0");
    }

    Rig(String deviceName) {
        device = new Fakes.FakeDevice(deviceName);
        provider = new Fakes.FakeProvider("fake", device);
        provider.opener = (d, c) -> {
            stub(c);
            return faulty();
        };
        library = new Library(() -> List.of(provider.found()), TimeLimit::ofProperty);
        context = library.open(device, 1);
        clearInvocations(ops);
    }

    /** From now on the provider throws this at every call; null ends that. */
    void fault(Throwable thrown) {
        fault = thrown;
    }

    /** From now on this runs at the beginning of every call of the provider. */
    void onCall(Runnable body) {
        onCall = body;
    }

    private ContextOps faulty() {
        return (ContextOps) Proxy.newProxyInstance(
                ContextOps.class.getClassLoader(), new Class<?>[] {ContextOps.class}, (proxy, method, args) -> {
                    if (fault != null) {
                        throw fault;
                    }
                    onCall.run();
                    try {
                        return method.invoke(ops, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private void stub(Context c) {
        when(ops.numCompVectors()).thenReturn(4);
        when(ops.queryGid(anyInt(), anyInt())).thenReturn(Gid.ZERO);
        when(ops.queryPkey(anyInt(), anyInt())).thenReturn(0xffff);
        when(ops.allocPd()).thenAnswer(i -> new Fakes.FakePd(c));
        when(ops.createCompChannel()).thenAnswer(i -> new Fakes.FakeChannel(c));
        when(ops.createCq(anyInt(), any(), any(), anyInt()))
                .thenAnswer(i -> new Fakes.FakeCq(c, i.getArgument(0), i.getArgument(1), i.getArgument(2)));
        when(ops.regMr(any(), anyLong(), anyLong(), anyInt()))
                .thenAnswer(
                        i -> new Fakes.FakeMr(i.getArgument(0), i.getArgument(1), i.getArgument(2), i.getArgument(3)));
        when(ops.regMrBuffer(any(), any(), anyInt())).thenAnswer(i -> {
            ByteBuffer buffer = i.getArgument(1);
            return new Fakes.FakeMr(i.getArgument(0), 0x1000, buffer.remaining(), i.getArgument(2));
        });
        doAnswer(i -> {
                    Fakes.FakeMr mr = i.getArgument(0);
                    mr.changed(i.getArgument(2), i.getArgument(3), i.getArgument(4), i.getArgument(5));
                    return null;
                })
                .when(ops)
                .reregMr(any(), anyInt(), any(), anyLong(), anyLong(), anyInt());
        when(ops.allocMw(any(), anyInt())).thenAnswer(i -> new Fakes.FakeMw(i.getArgument(0), i.getArgument(1)));
        when(ops.createAh(any(), any())).thenAnswer(i -> new Fakes.FakeAh(i.getArgument(0)));
        when(ops.createSrq(any(), any()))
                .thenAnswer(i -> new Fakes.FakeSrq(i.<ProtectionDomain>getArgument(0), i.<SrqInitAttr>getArgument(1)));
        when(ops.createQp(any(), any()))
                .thenAnswer(i -> new Fakes.FakeQp(
                        i.<ProtectionDomain>getArgument(0), i.<QpInitAttr>getArgument(1), qpNum.incrementAndGet()));
    }

    ProtectionDomain pd() {
        return context.allocPd();
    }

    CompletionChannel channel() {
        return context.createCompChannel();
    }

    CompletionQueue cq() {
        return context.createCq(16);
    }

    CompletionQueue cq(CompletionChannel channel) {
        return context.createCq(16, null, channel, 0);
    }

    QueuePair qp(int type) {
        return qp(pd(), cq(), type);
    }

    QueuePair qp(ProtectionDomain pd, CompletionQueue cq, int type) {
        return pd.createQp(qpInit(cq, type));
    }

    static QpInitAttr qpInit(CompletionQueue cq, int type) {
        return new QpInitAttr().sendCq(cq).recvCq(cq).qpType(type);
    }

    QueuePair udQp() {
        return qp(QpType.UD);
    }

    SharedReceiveQueue srq(ProtectionDomain pd) {
        return pd.createSrq(new SrqInitAttr().attr(new SrqAttr().maxWr(8).maxSge(1)));
    }

    MemoryRegion mr(ProtectionDomain pd) {
        return pd.regMr(ByteBuffer.allocateDirect(64), AccessFlags.LOCAL_WRITE);
    }

    MemoryWindow mw(ProtectionDomain pd) {
        return pd.allocMw(MwType.TYPE_1);
    }

    AddressHandle ah(ProtectionDomain pd) {
        return pd.createAh(new AhAttr().portNum(1).dlid(7));
    }
}
