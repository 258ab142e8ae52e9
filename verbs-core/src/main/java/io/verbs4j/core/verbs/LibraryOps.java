/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import io.verbs4j.AddressHandle;
import io.verbs4j.AhAttr;
import io.verbs4j.AsyncEvent;
import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.ContextOps;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.DeviceAttr;
import io.verbs4j.Gid;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.PortAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttr;
import java.nio.ByteBuffer;

/**
 * The library's verbs of one context, which the header calls. Passes each verb on to the class of its topic, which
 * checks, keeps the records, and calls the provider.
 */
// More than 30 public methods because each verb of level 1 is one.
final class LibraryOps implements ContextOps {
    /** The table's entry for verbs that the library knows and the provider lacks. It is never called. */
    private static final Object KNOWN = new Object();

    private final ObjectState state;
    private final ProviderSide side;
    private final Handles handles;
    private final DeviceVerbs device;
    private final DomainVerbs domains;
    private final RegionVerbs regions;
    private final WindowVerbs windows;
    private final DmVerbs dms;
    private final ImportVerbs imports;
    private final DmaVerbs dma;
    private final CounterVerbs counters;
    private final CqVerbs cqs;
    private final QpVerbs qps;
    private final SrqVerbs srqs;
    private final AhVerbs ahs;
    private final EventVerbs events;
    private final XrcVerbs xrcs;
    private final Explanations explanations;

    LibraryOps(LibraryContext owner, ProviderSide side) {
        this.side = side;
        handles = new Handles(owner, side);
        state = owner.records.state;
        device = new DeviceVerbs(state, side);
        domains = new DomainVerbs(state, side, handles);
        regions = new RegionVerbs(state, side, handles, new ImplicitRegions(device));
        windows = new WindowVerbs(state, side, handles);
        dms = new DmVerbs(state, side, handles);
        imports = new ImportVerbs(state, side, handles);
        cqs = new CqVerbs(state, side, handles, device);
        dma = new DmaVerbs(state, side, handles);
        qps = new QpVerbs(state, side, handles, new RssChecks(device));
        counters = new CounterVerbs(state, side, handles, qps);
        srqs = new SrqVerbs(state, side, handles);
        ahs = new AhVerbs(state, side, handles);
        events = new EventVerbs(state, side, handles);
        xrcs = new XrcVerbs(state, side, handles);
        explanations = new Explanations(side, handles);
    }

    /**
     * Fills the library's side of the extended verbs; each call checks whether the provider has the verb. Passes
     * objects, not method references, which would each define a class at open time.
     */
    void fill(ContextTable table) {
        table.fillLibrary(ContextSlot.OPEN_XRCD, xrcs);
        table.fillLibrary(ContextSlot.CLOSE_XRCD, xrcs);
        table.fillLibrary(ContextSlot.CREATE_SRQ_EX, srqs);
        table.fillLibrary(ContextSlot.GET_SRQ_NUM, srqs);
        table.fillLibrary(ContextSlot.CREATE_QP_EX, qps);
        table.fillLibrary(ContextSlot.OPEN_QP, qps);
        table.fillLibrary(ContextSlot.CREATE_CQ_EX, cqs);
        table.fillLibrary(ContextSlot.QUERY_VALUES, device);
        table.fillLibrary(ContextSlot.QUERY_DEVICE_EX, device);
        table.fillLibrary(ContextSlot.MODIFY_CQ, cqs);
        table.fillLibrary(ContextSlot.QUERY_GID_EX, device);
        table.fillLibrary(ContextSlot.QUERY_GID_TABLE, device);
        table.fillLibrary(ContextSlot.QUERY_QP_DATA_IN_ORDER, qps);
        table.fillLibrary(ContextSlot.MODIFY_QP_RATE_LIMIT, qps);
        table.fillLibrary(ContextSlot.REG_MR_EX, regions);
        table.fillLibrary(ContextSlot.ADVISE_MR, regions);
        table.fillLibrary(ContextSlot.ALLOC_NULL_MR, regions);
        table.fillLibrary(ContextSlot.ALLOC_MR_KEY, regions);
        table.fillLibrary(ContextSlot.ALLOC_TD, domains);
        table.fillLibrary(ContextSlot.DEALLOC_TD, domains);
        table.fillLibrary(ContextSlot.ALLOC_PARENT_DOMAIN, domains);
        table.fillLibrary(ContextSlot.ALLOC_DM, dms);
        table.fillLibrary(ContextSlot.FREE_DM, dms);
        table.fillLibrary(ContextSlot.REG_DM_MR, dms);
        table.fillLibrary(ContextSlot.DM_EXPORT_DMABUF_FD, dms);
        table.fillLibrary(ContextSlot.IMPORT_PD, imports);
        table.fillLibrary(ContextSlot.UNIMPORT_PD, imports);
        table.fillLibrary(ContextSlot.IMPORT_MR, imports);
        table.fillLibrary(ContextSlot.UNIMPORT_MR, imports);
        table.fillLibrary(ContextSlot.IMPORT_DM, imports);
        table.fillLibrary(ContextSlot.UNIMPORT_DM, imports);
        table.fillLibrary(ContextSlot.EXPORT_DEVICE, imports);
        table.fillLibrary(ContextSlot.EXPORT_HANDLE, imports);
        fillRare(table);
        table.fillLibrary(ContextSlot.ALLOC_DMAH, dma);
        table.fillLibrary(ContextSlot.DEALLOC_DMAH, dma);
        table.fillLibrary(ContextSlot.ALLOC_BUF, dma);
        table.fillLibrary(ContextSlot.FREE_BUF, dma);
        table.fillLibrary(ContextSlot.EXPORT_BUF_DMABUF_FD, dma);
        table.fillLibrary(ContextSlot.QUERY_COMP_CNTR_CAPS, counters);
        table.fillLibrary(ContextSlot.CREATE_COMP_CNTR, counters);
        table.fillLibrary(ContextSlot.DESTROY_COMP_CNTR, counters);
        table.fillLibrary(ContextSlot.QP_ATTACH_COMP_CNTR, counters);
        table.fillLibrary(ContextSlot.SET_ECE, qps);
        table.fillLibrary(ContextSlot.QUERY_ECE, qps);
    }

    /**
     * Verbs that few devices have. Where the provider has none of a group, the table only records that the library
     * knows them: loading their classes, and the types of their slots, would be wasted.
     */
    private void fillRare(ContextTable table) {
        int firstWq = ContextSlot.CREATE_WQ;
        int lastWq = ContextSlot.DESTROY_RWQ_IND_TABLE;
        fill(table, firstWq, lastWq, has(table, firstWq, lastWq) ? new WqVerbs(state, side, handles, device) : KNOWN);
        int firstFlow = ContextSlot.CREATE_FLOW;
        int lastFlow = ContextSlot.READ_COUNTERS;
        fill(table, firstFlow, lastFlow, has(table, firstFlow, lastFlow) ? new FlowVerbs(state, side, handles) : KNOWN);
        int firstAction = ContextSlot.CREATE_FLOW_ACTION_ESP;
        int lastAction = ContextSlot.DESTROY_FLOW_ACTION;
        boolean acts = has(table, firstAction, lastAction);
        fill(table, firstAction, lastAction, acts ? new FlowActionVerbs(state, side, handles) : KNOWN);
    }

    private static boolean has(ContextTable table, int first, int last) {
        for (int slot = first; slot <= last; slot++) {
            if (table.provider(slot) != null) {
                return true;
            }
        }
        return false;
    }

    private static void fill(ContextTable table, int first, int last, Object verbs) {
        for (int slot = first; slot <= last; slot++) {
            table.fillLibrary(slot, verbs);
        }
    }

    @Override
    public void ackAsyncEvent(AsyncEvent event) {
        events.ackAsyncEvent(event);
    }

    @Override
    public void ackCqEvents(CompletionQueue cq, int count) {
        events.ackCqEvents(cq, count);
    }

    @Override
    public MemoryWindow allocMw(ProtectionDomain pd, int type) {
        return windows.allocMw(pd, type);
    }

    @Override
    public ProtectionDomain allocPd() {
        return domains.allocPd();
    }

    @Override
    public int asyncEventDescriptor() {
        return events.asyncEventDescriptor();
    }

    @Override
    public void attachMcast(QueuePair qp, Gid gid, int lid) {
        qps.attachMcast(qp, gid, lid);
    }

    @Override
    public void close() {
        device.close();
    }

    @Override
    public int compChannelDescriptor(CompletionChannel channel) {
        return events.compChannelDescriptor(channel);
    }

    @Override
    public AddressHandle createAh(ProtectionDomain pd, AhAttr attr) {
        return ahs.createAh(pd, attr);
    }

    @Override
    public CompletionChannel createCompChannel() {
        return cqs.createCompChannel();
    }

    @Override
    public CompletionQueue createCq(int cqe, Object userContext, CompletionChannel channel, int compVector) {
        return cqs.createCq(cqe, userContext, channel, compVector);
    }

    @Override
    public CompletionQueue createCq(
            int cqe, Object userContext, CompletionChannel channel, int compVector, Object vendor) {
        return cqs.createCq(cqe, userContext, channel, compVector, vendor);
    }

    @Override
    public QueuePair createQp(ProtectionDomain pd, QpInitAttr attr) {
        return qps.createQp(pd, attr);
    }

    @Override
    public SharedReceiveQueue createSrq(ProtectionDomain pd, SrqInitAttr attr) {
        return srqs.createSrq(pd, attr);
    }

    @Override
    public void deallocMw(MemoryWindow mw) {
        windows.deallocMw(mw);
    }

    @Override
    public void deallocPd(ProtectionDomain pd) {
        domains.deallocPd(pd);
    }

    @Override
    public void deregMr(MemoryRegion mr) {
        regions.deregMr(mr);
    }

    @Override
    public void destroyAh(AddressHandle ah) {
        ahs.destroyAh(ah);
    }

    @Override
    public void destroyCompChannel(CompletionChannel channel) {
        cqs.destroyCompChannel(channel);
    }

    @Override
    public void destroyCq(CompletionQueue cq) {
        cqs.destroyCq(cq);
    }

    @Override
    public void destroyQp(QueuePair qp) {
        qps.destroyQp(qp);
    }

    @Override
    public void destroySrq(SharedReceiveQueue srq) {
        srqs.destroySrq(srq);
    }

    @Override
    public void detachMcast(QueuePair qp, Gid gid, int lid) {
        qps.detachMcast(qp, gid, lid);
    }

    @Override
    public String explainRecv(QueuePair qp, RecvWorkRequest wr) {
        return explanations.recv(qp, wr);
    }

    @Override
    public String explainSend(QueuePair qp, SendWorkRequest wr) {
        return explanations.send(qp, wr);
    }

    @Override
    public String explainSrqRecv(SharedReceiveQueue srq, RecvWorkRequest wr) {
        return explanations.srqRecv(srq, wr);
    }

    @Override
    public AsyncEvent getAsyncEvent(long timeoutNanos) {
        return events.getAsyncEvent(timeoutNanos);
    }

    @Override
    public CompletionQueue getCqEvent(CompletionChannel channel, long timeoutNanos) {
        return events.getCqEvent(channel, timeoutNanos);
    }

    @Override
    public void modifyQp(QueuePair qp, QpAttr attr, int attrMask) {
        qps.modifyQp(qp, attr, attrMask);
    }

    @Override
    public void modifySrq(SharedReceiveQueue srq, SrqAttr attr, int attrMask) {
        srqs.modifySrq(srq, attr, attrMask);
    }

    @Override
    public int numCompVectors() {
        return device.numCompVectors();
    }

    @Override
    public void queryDevice(DeviceAttr attr) {
        device.queryDevice(attr);
    }

    @Override
    public Gid queryGid(int portNum, int index) {
        return device.queryGid(portNum, index);
    }

    @Override
    public int queryPkey(int portNum, int index) {
        return device.queryPkey(portNum, index);
    }

    @Override
    public void queryPort(int portNum, PortAttr attr) {
        device.queryPort(portNum, attr);
    }

    @Override
    public void queryQp(QueuePair qp, QpAttr attr, int attrMask, QpInitAttr initAttr) {
        qps.queryQp(qp, attr, attrMask, initAttr);
    }

    @Override
    public void querySrq(SharedReceiveQueue srq, SrqAttr attr) {
        srqs.querySrq(srq, attr);
    }

    @Override
    public MemoryRegion regMr(ProtectionDomain pd, long addr, long length, int access) {
        return regions.regMr(pd, addr, length, access);
    }

    @Override
    public MemoryRegion regMrBuffer(ProtectionDomain pd, ByteBuffer buffer, int access) {
        return regions.regMrBuffer(pd, buffer, access);
    }

    @Override
    public void reregMr(MemoryRegion mr, int flags, ProtectionDomain pd, long addr, long length, int access) {
        regions.reregMr(mr, flags, pd, addr, length, access);
    }

    @Override
    public void resizeCq(CompletionQueue cq, int cqe) {
        cqs.resizeCq(cq, cqe);
    }

    @Override
    public <T> T vendor(Class<T> type) {
        return device.vendor(type);
    }
}
