/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.AddressHandle;
import io.verbs4j.AhAttr;
import io.verbs4j.AsyncEvent;
import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.DeviceAttr;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.PortAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpInitAttrMask;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.ContextFunctions;
import io.verbs4j.rdmacore.layout.CompChannelLayout;
import io.verbs4j.rdmacore.layout.ContextLayout;
import io.verbs4j.rdmacore.object.IbvObject;
import io.verbs4j.rdmacore.object.NativeAddressHandle;
import io.verbs4j.rdmacore.object.NativeCompletionQueue;
import io.verbs4j.rdmacore.object.NativeQueuePair;
import io.verbs4j.rdmacore.object.NativeSharedReceiveQueue;
import io.verbs4j.rdmacore.quirk.Quirks;
import java.nio.ByteBuffer;

/** The verbs of an open rdma-core device, which delegate to one class for each kind of object. */
// More than 30 public methods because each verb of level 1 is one.
abstract class NativeVerbs implements ContextOps {
    NativeVerbs() {}

    // ---- the classes that implement them

    abstract QueryVerbs queries();

    abstract DeviceQueries deviceQueries();

    abstract RegionVerbs regionVerbs();

    abstract WindowVerbs windowVerbs();

    abstract AhVerbs ahVerbs();

    abstract EventVerbs events();

    abstract CqVerbs cqVerbs();

    abstract SrqVerbs srqVerbs();

    abstract QpVerbs qpVerbs();

    // ---- implemented by NativeContext, overridden by vendors

    public abstract long address();

    public abstract Context context();

    public abstract ContextFunctions functions();

    public abstract Quirks quirks();

    protected abstract long moreCapabilities(long caps);

    protected abstract boolean bindsWindows();

    protected abstract long makeAh(ProtectionDomain pd, AhAttr attr);

    protected abstract void freeAh(long ah);

    protected abstract NativeAddressHandle newAddressHandle(ProtectionDomain pd, long ah);

    // ---- the verbs

    @Override
    public int numCompVectors() {
        return NativeMemory.getInt(address() + ContextLayout.NUM_COMP_VECTORS);
    }

    @Override
    public void queryDevice(DeviceAttr attr) {
        queries().queryDevice(attr);
        long caps = deviceQueries().without(attr.deviceCaps() | deviceQueries().upperCapabilities());
        attr.deviceCaps(caps | moreCapabilities(caps));
    }

    @Override
    public void queryPort(int portNum, PortAttr attr) {
        queries().queryPort(portNum, attr);
    }

    @Override
    public Gid queryGid(int portNum, int index) {
        return queries().queryGid(portNum, index);
    }

    @Override
    public int queryPkey(int portNum, int index) {
        return queries().queryPkey(portNum, index);
    }

    @Override
    public ProtectionDomain allocPd() {
        return DomainVerbs.allocPd(context(), address());
    }

    @Override
    public void deallocPd(ProtectionDomain pd) {
        DomainVerbs.deallocPd(pd);
    }

    @Override
    public MemoryRegion regMr(ProtectionDomain pd, long addr, long length, int access) {
        return regionVerbs().regMr("reg_mr", pd, addr, length, access, false);
    }

    @Override
    public MemoryRegion regMrBuffer(ProtectionDomain pd, ByteBuffer buffer, int access) {
        long addr = NativeMemory.address(buffer) + buffer.position();
        return regionVerbs().regMr("reg_mr", pd, addr, buffer.remaining(), access, true);
    }

    @Override
    public void reregMr(MemoryRegion mr, int flags, ProtectionDomain pd, long addr, long length, int access) {
        regionVerbs().reregMr(mr, flags, pd, addr, length, access);
    }

    @Override
    public void deregMr(MemoryRegion mr) {
        regionVerbs().deregMr(mr);
    }

    @Override
    public MemoryWindow allocMw(ProtectionDomain pd, int type) {
        if (!bindsWindows()) {
            String why = functions().op(ContextLayout.OPS_BIND_MW) == null
                    ? "the driver does not support memory windows; use a newer rdma-core, or do without them"
                    : quirks().bindProblem();
            throw new VerbsException(Errno.EOPNOTSUPP, "alloc_mw", why);
        }
        return windowVerbs().allocMw(pd, type);
    }

    @Override
    public void deallocMw(MemoryWindow mw) {
        windowVerbs().deallocMw(mw);
    }

    @Override
    public AddressHandle createAh(ProtectionDomain pd, AhAttr attr) {
        return newAddressHandle(pd, makeAh(pd, attr));
    }

    @Override
    public void destroyAh(AddressHandle ah) {
        ahVerbs().destroyAh(ah, this::freeAh);
    }

    @Override
    public CompletionChannel createCompChannel() {
        return events().createCompChannel();
    }

    @Override
    public void destroyCompChannel(CompletionChannel channel) {
        events().destroyCompChannel(channel);
    }

    @Override
    public CompletionQueue getCqEvent(CompletionChannel channel, long timeoutNanos) {
        return events().getCqEvent(channel, timeoutNanos);
    }

    @Override
    public AsyncEvent getAsyncEvent(long timeoutNanos) {
        return events().getAsyncEvent(timeoutNanos);
    }

    @Override
    public int asyncEventDescriptor() {
        return NativeMemory.getInt(address() + ContextLayout.ASYNC_FD);
    }

    @Override
    public int compChannelDescriptor(CompletionChannel channel) {
        return NativeMemory.getInt(IbvObject.addressOf(channel) + CompChannelLayout.FD);
    }

    @Override
    public CompletionQueue createCq(int cqe, Object userContext, CompletionChannel channel, int compVector) {
        return cqVerbs().createCq(cqe, userContext, channel, compVector);
    }

    @Override
    public void resizeCq(CompletionQueue cq, int cqe) {
        ((NativeCompletionQueue) cq).ibv.changeSize(cqe);
    }

    @Override
    public void destroyCq(CompletionQueue cq) {
        cqVerbs().destroyCq(cq);
    }

    @Override
    public SharedReceiveQueue createSrq(ProtectionDomain pd, SrqInitAttr attr) {
        return srqVerbs().createSrq(pd, attr);
    }

    @Override
    public void modifySrq(SharedReceiveQueue srq, SrqAttr attr, int attrMask) {
        srqVerbs().modifySrq(srq, attr, attrMask);
    }

    @Override
    public void querySrq(SharedReceiveQueue srq, SrqAttr attr) {
        srqVerbs().querySrq(srq, attr);
    }

    @Override
    public void destroySrq(SharedReceiveQueue srq) {
        srqVerbs().destroySrq(srq);
    }

    @Override
    public QueuePair createQp(ProtectionDomain pd, QpInitAttr attr) {
        QpInitAttrEx extended = QpInitAttrEx.of(pd, attr); // shares the capacities
        Answers.refuseUnknown("create_qp", extended, QpInitAttrMask.PD);
        return qpVerbs().createQp("create_qp", extended);
    }

    @Override
    public void modifyQp(QueuePair qp, QpAttr attr, int attrMask) {
        qpVerbs().modifyQp(qp, attr, attrMask);
    }

    @Override
    public void queryQp(QueuePair qp, QpAttr attr, int attrMask, QpInitAttr initAttr) {
        qpVerbs().queryQp(qp, attr, attrMask, initAttr);
    }

    @Override
    public void destroyQp(QueuePair qp) {
        qpVerbs().destroyQp(qp);
    }

    @Override
    public String explainSend(QueuePair qp, SendWorkRequest wr) {
        return SendExplanations.broken(((NativeQueuePair) qp).ibv, wr);
    }

    @Override
    public String explainRecv(QueuePair qp, RecvWorkRequest wr) {
        return ((NativeQueuePair) qp).ibv.broken(wr);
    }

    @Override
    public String explainSrqRecv(SharedReceiveQueue srq, RecvWorkRequest wr) {
        return ((NativeSharedReceiveQueue) srq).ibv.broken(wr);
    }

    @Override
    public void attachMcast(QueuePair qp, Gid gid, int lid) {
        qpVerbs().attachMcast(qp, gid, lid);
    }

    @Override
    public void detachMcast(QueuePair qp, Gid gid, int lid) {
        qpVerbs().detachMcast(qp, gid, lid);
    }
}
