/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.AhAttr;
import io.verbs4j.CompletionChannel;
import io.verbs4j.Context;
import io.verbs4j.ContextTable;
import io.verbs4j.CqCreateFlags;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.DeviceAttr;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpCap;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpInitAttrMask;
import io.verbs4j.QpType;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.VerbsException;
import io.verbs4j.WcExFlags;
import io.verbs4j.WqInitAttr;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.ContextFunctions;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.cm.NativeCm;
import io.verbs4j.rdmacore.event.EventSource;
import io.verbs4j.rdmacore.layout.ContextLayout;
import io.verbs4j.rdmacore.layout.ExtendedContextLayout;
import io.verbs4j.rdmacore.layout.QpInitAttrExLayout;
import io.verbs4j.rdmacore.marshal.QpAttrs;
import io.verbs4j.rdmacore.marshal.QpInitMask;
import io.verbs4j.rdmacore.memory.RegionTable;
import io.verbs4j.rdmacore.object.Children;
import io.verbs4j.rdmacore.object.IbvCq;
import io.verbs4j.rdmacore.object.IbvCqEx;
import io.verbs4j.rdmacore.object.IbvObject;
import io.verbs4j.rdmacore.object.IbvQp;
import io.verbs4j.rdmacore.object.IbvSrq;
import io.verbs4j.rdmacore.object.IbvWq;
import io.verbs4j.rdmacore.object.NativeAddressHandle;
import io.verbs4j.rdmacore.object.NativeCompletionQueue;
import io.verbs4j.rdmacore.object.NativeQueuePair;
import io.verbs4j.rdmacore.object.NativeSharedReceiveQueue;
import io.verbs4j.rdmacore.object.NativeWorkQueue;
import io.verbs4j.rdmacore.object.WindowBook;
import io.verbs4j.rdmacore.quirk.Quirks;
import io.verbs4j.rdmacore.quirk.TickClock;
import java.util.function.LongFunction;
import java.util.function.LongUnaryOperator;

/**
 * An open device of rdma-core. Implements its control verbs through one class for each kind of object. Vendor providers
 * extend it and create queues with their own data path.
 */
// Longer than 500 lines because it has a documented method for each thing in which a device of a vendor may differ.
public class NativeContext extends NativeVerbs {
    /** Queue pair attributes that every release of libibverbs knows. */
    protected static final int QP_ATTRIBUTES = (QpAttrMask.DEST_QPN << 1) - 1;

    private final Context context;
    private final NativeDevice device;
    private final long address;
    private final ContextFunctions functions;
    private final Quirks quirks;
    private final RegionTable regions = new RegionTable();
    private final WindowBook windows;
    private final QueryVerbs queries;
    private final DeviceQueries deviceQueries;
    private final RegionVerbs regionVerbs;
    private final WindowVerbs windowVerbs;
    private final AhVerbs ahVerbs;
    private final EventVerbs events;
    private final CqVerbs cqVerbs;
    private final SrqVerbs srqVerbs;
    private final QpVerbs qpVerbs;
    private final BuilderTrial builder;
    private DeviceAttr limits;
    private Object connectionManager;
    private final Children children;

    /** Opens a device. */
    public NativeContext(NativeDevice device, Context context) {
        this(device, context, Libibverbs::ibv_open_device);
    }

    /**
     * Opens a device by a vendor function.
     *
     * @param open takes the {@code struct ibv_device} and returns the {@code struct ibv_context}, or 0
     */
    protected NativeContext(NativeDevice device, Context context, LongUnaryOperator open) {
        this.device = device;
        this.context = context;
        this.children = new Children("the context of " + device.name());
        this.address = NativeDevices.open(device, ImportedDevice.opener(context, open));
        this.functions = new ContextFunctions(address);
        this.quirks = device.kernel.driver().quirks();
        this.windows = new WindowBook(quirks.needsValidWindows());
        this.queries = new QueryVerbs(address, functions);
        this.deviceQueries = new DeviceQueries(address, functions, this::bindsWindows, this::tellMore);
        this.regionVerbs = new RegionVerbs(functions, quirks, regions, this::awaitPosts);
        this.windowVerbs = new WindowVerbs(functions, windows);
        this.ahVerbs = new AhVerbs(this::awaitPosts);
        this.events = new EventVerbs(context, address, asyncEvents(), this::portOfEvent);
        this.cqVerbs = new CqVerbs(this, events);
        this.srqVerbs = new SrqVerbs(this, events);
        this.qpVerbs = new QpVerbs(this, events);
        this.builder = new BuilderTrial(this, quirks.mayBuildMore());
    }

    private EventSource asyncEvents() {
        try {
            return new EventSource("get_async_event", NativeMemory.getInt(address + ContextLayout.ASYNC_FD));
        } catch (RuntimeException e) {
            Libibverbs.ibv_close_device(address);
            throw e;
        }
    }

    /** {@return the {@code struct ibv_context}} */
    @Override
    public final long address() {
        return address;
    }

    /** {@return the open device} */
    public final NativeDevice device() {
        return device;
    }

    /** {@return the program's context} */
    @Override
    public final Context context() {
        return context;
    }

    /** {@return the functions behind the pointers of the C context} */
    @Override
    public final ContextFunctions functions() {
        return functions;
    }

    /** {@return where the device's driver deviates} */
    @Override
    public final Quirks quirks() {
        return quirks;
    }

    /** {@return the registered memory} */
    public final RegionTable regions() {
        return regions;
    }

    /** {@return the records of type 2 memory windows} */
    public final WindowBook windows() {
        return windows;
    }

    @Override
    final QueryVerbs queries() {
        return queries;
    }

    @Override
    final DeviceQueries deviceQueries() {
        return deviceQueries;
    }

    @Override
    final RegionVerbs regionVerbs() {
        return regionVerbs;
    }

    @Override
    final WindowVerbs windowVerbs() {
        return windowVerbs;
    }

    @Override
    final AhVerbs ahVerbs() {
        return ahVerbs;
    }

    @Override
    final EventVerbs events() {
        return events;
    }

    @Override
    final CqVerbs cqVerbs() {
        return cqVerbs;
    }

    @Override
    final SrqVerbs srqVerbs() {
        return srqVerbs;
    }

    @Override
    final QpVerbs qpVerbs() {
        return qpVerbs;
    }

    /** {@return the device's attributes, queried once} */
    protected final synchronized DeviceAttr limits() {
        if (limits == null) {
            DeviceAttr attr = new DeviceAttr();
            queryDevice(attr);
            limits = attr;
        }
        return limits;
    }

    /**
     * Returns the operations that can be posted to a queue pair about to be created, {@link io.verbs4j.QpCreateSendOps}
     * bits.
     *
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if the program requests an operation that the type or device
     *     lacks
     */
    protected long operations(String verb, QpInitAttrEx attr) {
        windows.available(hasWindowsOfTypeTwo());
        return SendOperations.of(verb, attr, able(attr.qpType()));
    }

    /** {@return whether the device has type 2 memory windows and the related invalidations} */
    protected final boolean hasWindowsOfTypeTwo() {
        return SendOperations.hasTypeTwo(limits());
    }

    /** {@return all operations that a queue pair type supports, {@link io.verbs4j.QpCreateSendOps} bits} */
    protected long able(int qpType) {
        // Drivers without windows have a function nevertheless: libibverbs' own, which refuses.
        boolean binds = bindsWindows() && limits().maxMw() > 0;
        long able = SendOperations.able(qpType, device.transportType(), limits(), binds);
        if (qpType == QpType.RAW_PACKET && deviceQueries.segments(qpType)) {
            able |= QpCreateSendOps.TSO;
        }
        return qpType == QpType.XRC_RECV ? able : able | moreOperations(qpType);
    }

    /** {@return the maximum number of bytes in one TCP segmentation offload, or 0 if the device has none} */
    protected final int maxTso() {
        return deviceQueries.capabilitiesIfTold().tsoMaxTso();
    }

    /** {@return how much device memory there is to allocate, in bytes} */
    final long maxDmSize() {
        return deviceQueries.capabilities().maxDmSize();
    }

    /**
     * Adds to the result of {@code query_device_ex} attributes for which C has no field. A vendor's provider calls this
     * method and then adds what it knows.
     *
     * @param attr holds the attributes that C has reported
     */
    protected void tellMore(DeviceAttrEx attr) {
        Capabilities.tell(this, attr);
    }

    /**
     * Returns whether the device is known to have no {@link io.verbs4j.DeviceTraits}. The default is true, because
     * traits are properties that {@code verbs.h} cannot express.
     */
    protected boolean isAsUsual() {
        return true;
    }

    /**
     * Returns additional operations that can be posted to queue pairs of a type, {@link io.verbs4j.QpCreateSendOps}
     * bits. The default is those that the driver takes by {@code ibv_wr_*} alone.
     *
     * @param qpType a {@link io.verbs4j.QpType} value, not XRC_RECV
     */
    protected long moreOperations(int qpType) {
        return builtOperations(qpType);
    }

    /**
     * Returns the operations that are posted by {@code ibv_wr_*} to queue pairs of a type,
     * {@link io.verbs4j.QpCreateSendOps} bits; those that the queue pair does not support are ignored. The default is
     * those that C offers no other way.
     *
     * @param qpType a {@link io.verbs4j.QpType} value, not XRC_RECV
     */
    protected long builtOperations(int qpType) {
        return qpType == QpType.RC ? builder.able(limits().deviceCaps()) : 0;
    }

    /**
     * Returns queue pair features that a vendor's provider implements and libibverbs has no flags for,
     * {@link io.verbs4j.QpCreateFlags} bits.
     */
    protected int moreCreateFlags() {
        return 0;
    }

    /**
     * Returns additional capabilities of a vendor's provider, {@link io.verbs4j.DeviceCap} bits.
     *
     * @param caps the device's other capabilities
     */
    @Override
    protected long moreCapabilities(long caps) {
        return 0;
    }

    /** {@return the maximum number of pieces of memory in one fast registration, or 0 if there are none} */
    protected int maxFastRegLen() {
        return 0;
    }

    /** {@return the sizes of masked atomics that can be posted, {@link io.verbs4j.PciAtomicSizes} bits} */
    protected int maskedAtomicSizes() {
        return 0;
    }

    /** {@return whether the data path supports tag matching; the device must support it as well} */
    protected boolean mayMatchTags() {
        return true;
    }

    /**
     * Queries the device for the most elements of a tagged buffer; returns 0 if it does not match tags, or if library,
     * driver or {@link #mayMatchTags()} rule it out.
     */
    final int maxTagSge() {
        if (!mayMatchTags() || functions.extended(ExtendedContextLayout.POST_SRQ_OPS) == null) {
            return 0;
        }
        DeviceAttrEx can = deviceQueries.capabilities();
        return can.tmFlags() == 0 ? 0 : can.tmMaxSge();
    }

    /** Fills the slots of the extended verbs that the loaded library has. */
    protected void fill(ContextTable table) {
        deviceQueries.fill(table);
        regionVerbs.fill(table);
        cqVerbs.fill(table);
        srqVerbs.fill(table);
        qpVerbs.fill(table);
        new XrcVerbs(this).fill(table);
        new DomainVerbs(this).fill(table);
        new DmVerbs(this).fill(table);
        new ImportVerbs(this).fill(table);
        DeviceAttrEx told = deviceQueries.capabilitiesIfTold();
        new WqVerbs(this, events).fill(table, told);
        new FlowVerbs(this).fill(table, told);
        new FlowActionVerbs(this).fill(table, told);
        new DmaVerbs(this).fill(table);
        new CounterVerbs(this).fill(table);
        new EceVerbs().fill(table);
    }

    // ---- connection manager

    /**
     * Returns the connection manager if the type is {@code io.verbs4j.cm.spi.CmProvider}, otherwise null. A vendor's
     * provider calls this method for types that it does not know.
     */
    @Override
    public <T> T vendor(Class<T> type) {
        // Compares names, because the module with that type is absent if the program uses no connection manager.
        if (!type.getName().equals("io.verbs4j.cm.spi.CmProvider")) {
            return null;
        }
        Object own = connectionManager();
        return type.isInstance(own) ? type.cast(own) : null;
    }

    private synchronized Object connectionManager() {
        if (connectionManager == null) {
            connectionManager = new NativeCm(context, device.kernel.uverbsName(), device.kernel::attribute, children);
        }
        return connectionManager;
    }

    // ---- overridden by vendor providers

    /**
     * Returns the port that an event is about, from 1. The default is the port that the kernel reports.
     *
     * @param eventType an {@link io.verbs4j.EventType} value
     */
    protected int portOfEvent(int eventType, int port) {
        return port;
    }

    /**
     * Waits for posts and polls in progress, if those check that a region or an address handle is open without pinning
     * it. The default does nothing.
     */
    protected void awaitPosts() {}

    /**
     * Returns whether the driver copies small messages from completions to the address in a request without checking
     * it. The queue pairs are then created with that feature disabled. A vendor's provider that reads completions
     * itself, and checks, returns false.
     */
    protected boolean copiesFromCompletions() {
        return quirks.copiesFromCompletions();
    }

    /**
     * Returns whether memory windows can be bound. If the driver binds them, it must have the function, and no
     * {@link Quirks#bindProblem}.
     */
    @Override
    protected boolean bindsWindows() {
        return functions.op(ContextLayout.OPS_BIND_MW) != null && quirks.bindProblem() == null;
    }

    /**
     * Returns whether the data path supports raw packets and work queues. The default is true, because the driver's
     * data path does.
     */
    protected boolean carriesFrames() {
        return true;
    }

    /**
     * Rejects objects that need {@link #carriesFrames}.
     *
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if that returns false
     */
    protected void requireFrames(String verb) {}

    /** Creates the handle of a completion queue. */
    protected NativeCompletionQueue newCompletionQueue(Object userContext, CompletionChannel channel, long cq) {
        return new NativeCompletionQueue(context, userContext, channel, new IbvCq(cq, functions, quirks, windows));
    }

    /** Creates the handle of an extended completion queue from a {@code struct ibv_cq_ex}. */
    protected NativeCompletionQueue newCompletionQueue(CqInitAttrEx attr, long cq) {
        IbvCqEx ibv = new IbvCqEx(
                cq,
                functions,
                quirks,
                windows,
                attr.wcFlags(),
                clockFor(attr),
                (attr.flags() & CqCreateFlags.SINGLE_THREADED) != 0);
        return new NativeCompletionQueue(context, attr.userContext(), attr.channel(), ibv, attr.wcFlags(), ibv);
    }

    /** {@return whether the wall-clock times of the queue's completions are computed here, from ticks} */
    protected final boolean hasOwnClock(CqInitAttrEx attr) {
        return quirks.needsClock() && (attr.wcFlags() & WcExFlags.COMPLETION_TIMESTAMP_WALLCLOCK) != 0;
    }

    /** {@return the clock that computes them, or null if {@link #hasOwnClock} is false} */
    protected final TickClock clockFor(CqInitAttrEx attr) {
        return hasOwnClock(attr) ? quirks.clock(address) : null;
    }

    /** Creates a {@code struct ibv_ah}, which {@link #freeAh} destroys. */
    @Override
    protected long makeAh(ProtectionDomain pd, AhAttr attr) {
        try {
            return AhVerbs.createAh(pd, attr);
        } catch (VerbsException e) {
            int ports = deviceQueries.capabilities().origAttr().physPortCnt();
            if (attr.portNum() <= ports) {
                throw e;
            }
            // libmlx5 sets no errno in this case, and that of an earlier call would be reported.
            throw new VerbsException(
                    Errno.EINVAL,
                    "create_ah",
                    "portNum is " + attr.portNum() + ", but the device's last port is " + ports,
                    e);
        }
    }

    /** Destroys a {@code struct ibv_ah}. */
    @Override
    protected void freeAh(long ah) {
        Answers.check("destroy_ah", Libibverbs.ibv_destroy_ah(ah));
    }

    /** Creates the handle of an address handle. */
    @Override
    protected NativeAddressHandle newAddressHandle(ProtectionDomain pd, long ah) {
        return new NativeAddressHandle(pd, ah);
    }

    /**
     * Creates the handle of a queue pair.
     *
     * @param attr holds the granted capacities
     * @param operations the operations that can be posted to it, {@link io.verbs4j.QpCreateSendOps} bits
     */
    protected NativeQueuePair newQueuePair(QpInitAttrEx attr, long operations, long qp) {
        return new NativeQueuePair(context, attr, new IbvQp(attr, operations, qp, functions, quirks, regions, windows));
    }

    /** Creates the handle of a work queue; the attributes hold the granted capacities. */
    protected NativeWorkQueue newWorkQueue(WqInitAttr attr, long wq) {
        return new NativeWorkQueue(context, attr, new IbvWq(attr, wq));
    }

    /** Creates the handle of a shared receive queue; the attributes hold the granted capacities. */
    protected NativeSharedReceiveQueue newSharedReceiveQueue(SrqInitAttrEx attr, long srq) {
        return new NativeSharedReceiveQueue(context, attr, new IbvSrq(attr, srq, functions));
    }

    /**
     * Creates a queue pair by a vendor function that takes a {@code struct ibv_qp_init_attr_ex}.
     *
     * @param known whether type and attributes are known ones, so that EINVAL means that they are wrong and not that
     *     the device lacks them
     * @param create takes that struct, filled except for the vendor's members, and returns the {@code struct ibv_qp},
     *     or 0
     * @param handle creates the handle, as {@link #newQueuePair}; if it throws, the queue pair is destroyed
     */
    protected final NativeQueuePair createQp(
            String verb,
            QpInitAttrEx attr,
            boolean known,
            LongUnaryOperator create,
            LongFunction<NativeQueuePair> handle) {
        checkCap(verb, QpVerbs.capOf(attr));
        try (Scratch c = new Scratch(RssAttrs.size(attr))) {
            QpVerbs.writeInitAttr(c.address(), attr);
            NativeMemory.putInt(c.address() + QpInitAttrExLayout.COMP_MASK, (int)
                    (attr.compMask() & (QpInitAttrMask.PD | QpInitAttrMask.XRCD)));
            CreateFlags.write(c.address(), attr, moreCreateFlags());
            RssAttrs.write(verb, c.address(), attr);
            if (hasTsoHeader(attr)) {
                QpInitMask.add(c.address(), QpInitAttrMask.MAX_TSO_HEADER);
                NativeMemory.putShort(c.address() + QpInitAttrExLayout.MAX_TSO_HEADER, attr.maxTsoHeader());
            }
            NativeMemory.putLong(c.address() + QpInitAttrExLayout.PD, IbvObject.addressOf(attr.pd()));
            NativeMemory.putLong(c.address() + QpInitAttrExLayout.XRCD, IbvObject.addressOf(attr.xrcd()));
            return qpVerbs.numbered(() -> {
                long qp = Answers.checkPointer(verb, create.applyAsLong(c.address()), known);
                QpAttrs.readCap(c.address() + QpInitAttrExLayout.CAP, attr.cap());
                return handleOf(qp, handle);
            });
        }
    }

    /** {@return whether the queue pair needs room for TSO headers} */
    static boolean hasTsoHeader(QpInitAttrEx attr) {
        return (attr.compMask() & QpInitAttrMask.MAX_TSO_HEADER) != 0;
    }

    /** Creates the handle of a {@code struct ibv_qp}; destroys the latter if that fails. */
    final NativeQueuePair handleOf(long qp, LongFunction<NativeQueuePair> handle) {
        try {
            return qpVerbs.known(handle.apply(qp));
        } catch (RuntimeException e) {
            Libibverbs.ibv_destroy_qp(qp);
            throw e;
        }
    }

    /**
     * Checks the capacities of a queue pair's queues. Some drivers round up before they check the limits, or check only
     * some.
     *
     * @throws VerbsException {@link Errno#EINVAL} if one exceeds the device's limit
     */
    protected void checkCap(String verb, QpCap cap) {
        DeviceAttr most = limits();
        checkLimit(verb, "maxSendWr", cap.maxSendWr(), most.maxQpWr());
        checkLimit(verb, "maxRecvWr", cap.maxRecvWr(), most.maxQpWr());
        checkLimit(verb, "maxSendSge", cap.maxSendSge(), most.maxSge());
        checkLimit(verb, "maxRecvSge", cap.maxRecvSge(), most.maxSge());
    }

    /** Checks one capacity. */
    protected static void checkLimit(String verb, String name, int value, int limit) {
        if (value > limit) {
            throw new VerbsException(
                    Errno.EINVAL, verb, name + " is " + value + ", but the device has at most " + limit);
        }
    }

    /** {@return the objects of programs that the library does not know; while in use they keep the context open} */
    public final Children children() {
        return children;
    }

    @Override
    public void close() {
        children.closeFor("close_device", () -> {
            closing();
            events.close();
            Answers.check("close_device", Libibverbs.ibv_close_device(address));
        });
    }

    /** Releases the provider's own objects before the device is closed. The default does nothing. */
    protected void closing() {}
}
