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
import io.verbs4j.rdmacore.call.Libmlx5;
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
import io.verbs4j.rdmacore.object.Mlx5Clock;
import io.verbs4j.rdmacore.object.NativeAddressHandle;
import io.verbs4j.rdmacore.object.NativeCompletionQueue;
import io.verbs4j.rdmacore.object.NativeQueuePair;
import io.verbs4j.rdmacore.object.NativeSharedReceiveQueue;
import io.verbs4j.rdmacore.object.NativeWorkQueue;
import io.verbs4j.rdmacore.object.WindowBook;
import java.util.function.LongFunction;
import java.util.function.LongUnaryOperator;

/**
 * An open device of rdma-core: its control verbs, each by the class that knows its kind. The base of the contexts of vendor
 * providers, which make queues with a data path of their own.
 */
public class NativeContext extends NativeVerbs {
    /** The attributes of a queue pair that every release of libibverbs knows. */
    protected static final int QP_ATTRIBUTES = (QpAttrMask.DEST_QPN << 1) - 1;

    private final Context context;
    private final NativeDevice device;
    private final long address;
    private final ContextFunctions functions;
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
     * Opens a device by a function of the vendor's.
     *
     * @param open gets the {@code struct ibv_device}, and returns the {@code struct ibv_context} or 0
     */
    protected NativeContext(NativeDevice device, Context context, LongUnaryOperator open) {
        this.device = device;
        this.context = context;
        this.children = new Children("the context of " + device.name());
        this.address = NativeDevices.open(device, ImportedDevice.opener(context, open));
        this.functions = new ContextFunctions(address, device.kernel.isSoftRoce(), device.kernel.isEfa());
        this.windows = new WindowBook(device.kernel.isSoftRoce());
        this.queries = new QueryVerbs(address, functions);
        this.deviceQueries = new DeviceQueries(address, functions, this::bindsWindows, this::tellMore);
        this.regionVerbs = new RegionVerbs(functions, regions, this::awaitPosts);
        this.windowVerbs = new WindowVerbs(functions, windows);
        this.ahVerbs = new AhVerbs(this::awaitPosts);
        this.events = new EventVerbs(context, address, asyncEvents(), this::portOfEvent);
        this.cqVerbs = new CqVerbs(this, events);
        this.srqVerbs = new SrqVerbs(this, events);
        this.qpVerbs = new QpVerbs(this, events);
        this.builder = new BuilderTrial(this, device.kernel.isSoftRoce());
    }

    private EventSource asyncEvents() {
        try {
            return new EventSource("get_async_event", NativeMemory.getInt(address + ContextLayout.ASYNC_FD));
        } catch (RuntimeException e) {
            Libibverbs.ibv_close_device(address);
            throw e;
        }
    }

    /** The {@code struct ibv_context}. */
    @Override
    public final long address() {
        return address;
    }

    /** The device that is open. */
    public final NativeDevice device() {
        return device;
    }

    /** The context as the program knows it. */
    @Override
    public final Context context() {
        return context;
    }

    /** What is behind the pointers of the C context. */
    @Override
    public final ContextFunctions functions() {
        return functions;
    }

    /** The memory that is registered. */
    public final RegionTable regions() {
        return regions;
    }

    /** What is known of memory windows of type 2. */
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

    /** What the device can do; asked for once. */
    protected final synchronized DeviceAttr limits() {
        if (limits == null) {
            DeviceAttr attr = new DeviceAttr();
            queryDevice(attr);
            limits = attr;
        }
        return limits;
    }

    /**
     * What can be posted to a queue pair that is to be made, {@link io.verbs4j.QpCreateSendOps} bits.
     *
     * @throws VerbsException {@link Errno#EOPNOTSUPP} where an operation was asked for that type or device has not
     */
    protected long operations(String verb, QpInitAttrEx attr) {
        windows.available(hasWindowsOfTypeTwo());
        return SendOperations.of(verb, attr, able(attr.qpType()));
    }

    /** Whether the device has memory windows of type 2, and the invalidations that belong to them. */
    protected final boolean hasWindowsOfTypeTwo() {
        return SendOperations.hasTypeTwo(limits());
    }

    /** All that a type of queue pairs can do, {@link io.verbs4j.QpCreateSendOps} bits. */
    protected long able(int qpType) {
        // Drivers without windows have a function all the same, libibverbs' own, which refuses.
        boolean binds = bindsWindows() && limits().maxMw() > 0;
        long able = SendOperations.able(qpType, device.transportType(), limits(), binds);
        if (qpType == QpType.RAW_PACKET && deviceQueries.segments(qpType)) {
            able |= QpCreateSendOps.TSO;
        }
        return qpType == QpType.XRC_RECV ? able : able | moreOperations(qpType);
    }

    /** Most bytes that the device cuts into segments of TCP; 0 where it cuts none. */
    protected final int maxTso() {
        return deviceQueries.capabilitiesIfTold().tsoMaxTso();
    }

    /** How much memory the device has to give; 0 where none. */
    final long maxDmSize() {
        return deviceQueries.capabilities().maxDmSize();
    }

    /**
     * Adds to the answer of {@code query_device_ex} what C has no words for. A vendor's provider calls this and adds what it knows.
     *
     * @param attr what C has told
     */
    protected void tellMore(DeviceAttrEx attr) {
        Capabilities.tell(this, attr);
    }

    /**
     * Whether the device is known to have nothing of {@link io.verbs4j.DeviceTraits}; the default, since these are what {@code verbs.h} has
     * no words for.
     */
    protected boolean isAsUsual() {
        return true;
    }

    /**
     * What can be posted besides, to queue pairs of a type, {@link io.verbs4j.QpCreateSendOps} bits. The default: what the driver takes by
     * {@code ibv_wr_*} alone.
     *
     * @param qpType a {@link io.verbs4j.QpType} value, not XRC_RECV
     */
    protected long moreOperations(int qpType) {
        return builtOperations(qpType);
    }

    /**
     * What is posted by {@code ibv_wr_*} to queue pairs of a type, {@link io.verbs4j.QpCreateSendOps} bits; of these, operations that it has
     * not do not count. The default: what C has no other way for.
     *
     * @param qpType a {@link io.verbs4j.QpType} value, not XRC_RECV
     */
    protected long builtOperations(int qpType) {
        return qpType == QpType.RC ? builder.able(limits().deviceCaps()) : 0;
    }

    /** What a vendor's provider makes of queue pairs that libibverbs has no flags for, {@link io.verbs4j.QpCreateFlags} bits. */
    protected int moreCreateFlags() {
        return 0;
    }

    /**
     * What a vendor's provider can do besides, {@link io.verbs4j.DeviceCap} bits.
     *
     * @param caps what the device can do otherwise
     */
    @Override
    protected long moreCapabilities(long caps) {
        return 0;
    }

    /** Most pieces of memory of one fast register; 0 where there is none. */
    protected int maxFastRegLen() {
        return 0;
    }

    /** The sizes of the masked atomics that it posts, {@link io.verbs4j.PciAtomicSizes} bits. */
    protected int maskedAtomicSizes() {
        return 0;
    }

    /** Whether the path of messages supports tag matching; whether the device does is asked besides. */
    protected boolean mayMatchTags() {
        return true;
    }

    /**
     * Asks the device for the most elements of a tagged buffer; 0 where it matches no tags, or library, driver or
     * {@link #mayMatchTags()} do not allow it.
     */
    final int maxTagSge() {
        if (!mayMatchTags() || functions.extended(ExtendedContextLayout.POST_SRQ_OPS) == null) {
            return 0;
        }
        DeviceAttrEx can = deviceQueries.capabilities();
        return can.tmFlags() == 0 ? 0 : can.tmMaxSge();
    }

    /** Fills in the extended verbs that the loaded library has. */
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

    // ---- connections by address

    /**
     * What is besides verbs: the connection manager, as {@code io.verbs4j.cm.spi.CmProvider}. A vendor's provider calls this for types that it does not know.
     */
    @Override
    public <T> T vendor(Class<T> type) {
        // By its name: where nobody connects by address, the module with that type need not be there.
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

    // ---- what vendor providers make in another way

    /**
     * The port that an event is about, from 1. The default: as the kernel tells it.
     *
     * @param eventType an {@link io.verbs4j.EventType} value
     */
    protected int portOfEvent(int eventType, int port) {
        return port;
    }

    /**
     * Waits for the posts and polls that are under way, where those look whether a region or an address handle is open and do
     * not pin it. The default has nothing to wait for.
     */
    protected void awaitPosts() {}

    /**
     * Whether the driver copies small messages out of completions to wherever a request says, and looks at nothing before it does.
     * Its queue pairs are made so that it need not. A vendor's provider that reads completions itself, and looks, says no.
     */
    protected boolean copiesFromCompletions() {
        return device.kernel.isMlx5();
    }

    /**
     * Whether memory windows are bound. Where the driver does it, it must have the function, and a libmlx5 that is older than release 41
     * writes beyond the end of the send queue: where the last part of such an element should go to its beginning.
     */
    @Override
    protected boolean bindsWindows() {
        return functions.op(ContextLayout.OPS_BIND_MW) != null
                && (!device.kernel.isMlx5() || Libmlx5.has("mlx5dv_create_steering_anchor"));
    }

    /**
     * Whether whoever posts and reads completions knows raw packets and work queues. The default: the driver does, and
     * does.
     */
    protected boolean carriesFrames() {
        return true;
    }

    /**
     * Refuses what needs {@link #carriesFrames}.
     *
     * @throws VerbsException {@link Errno#EOPNOTSUPP} where that says no
     */
    protected void requireFrames(String verb) {}

    /** Makes the handle of a completion queue. */
    protected NativeCompletionQueue newCompletionQueue(Object userContext, CompletionChannel channel, long cq) {
        return new NativeCompletionQueue(context, userContext, channel, new IbvCq(cq, functions, windows));
    }

    /** Makes the handle of an extended completion queue, of a {@code struct ibv_cq_ex}. */
    protected NativeCompletionQueue newCompletionQueue(CqInitAttrEx attr, long cq) {
        IbvCqEx ibv = new IbvCqEx(
                cq,
                functions,
                windows,
                attr.wcFlags(),
                clockFor(attr),
                (attr.flags() & CqCreateFlags.SINGLE_THREADED) != 0);
        return new NativeCompletionQueue(context, attr.userContext(), attr.channel(), ibv, attr.wcFlags(), ibv);
    }

    /** Whether the time of such a queue's completions is made here, of ticks. */
    protected final boolean hasOwnClock(CqInitAttrEx attr) {
        return device.kernel.isMlx5() && (attr.wcFlags() & WcExFlags.COMPLETION_TIMESTAMP_WALLCLOCK) != 0;
    }

    /** What makes it; null where {@link #hasOwnClock} says no. */
    protected final Mlx5Clock clockFor(CqInitAttrEx attr) {
        return hasOwnClock(attr) ? new Mlx5Clock(address) : null;
    }

    /** Makes a {@code struct ibv_ah}, to be given back by {@link #freeAh}. */
    @Override
    protected long makeAh(ProtectionDomain pd, AhAttr attr) {
        try {
            return AhVerbs.createAh(pd, attr);
        } catch (VerbsException e) {
            int ports = deviceQueries.capabilities().origAttr().physPortCnt();
            if (attr.portNum() <= ports) {
                throw e;
            }
            // libmlx5 sets no errno then; that of an earlier call would be reported.
            throw new VerbsException(
                    Errno.EINVAL,
                    "create_ah",
                    "portNum is " + attr.portNum() + ", but the device's last port is " + ports,
                    e);
        }
    }

    /** Gives a {@code struct ibv_ah} back. */
    @Override
    protected void freeAh(long ah) {
        Answers.check("destroy_ah", Libibverbs.ibv_destroy_ah(ah));
    }

    /** Makes the handle of an address handle. */
    @Override
    protected NativeAddressHandle newAddressHandle(ProtectionDomain pd, long ah) {
        return new NativeAddressHandle(pd, ah);
    }

    /**
     * Makes the handle of a queue pair.
     *
     * @param attr holds the capacities that were given
     * @param operations what can be posted to it, {@link io.verbs4j.QpCreateSendOps} bits
     */
    protected NativeQueuePair newQueuePair(QpInitAttrEx attr, long operations, long qp) {
        return new NativeQueuePair(context, attr, new IbvQp(attr, operations, qp, functions, regions, windows));
    }

    /** Makes the handle of a work queue; the attributes hold the capacities that were given. */
    protected NativeWorkQueue newWorkQueue(WqInitAttr attr, long wq) {
        return new NativeWorkQueue(context, attr, new IbvWq(attr, wq));
    }

    /** Makes the handle of a shared receive queue; the attributes hold the capacities that were given. */
    protected NativeSharedReceiveQueue newSharedReceiveQueue(SrqInitAttrEx attr, long srq) {
        return new NativeSharedReceiveQueue(context, attr, new IbvSrq(attr, srq, functions));
    }

    /**
     * Makes a queue pair by a function of the vendor's that takes a {@code struct ibv_qp_init_attr_ex}.
     *
     * @param known whether type and attributes are such that EINVAL means that they are wrong, and not that the device can't
     * @param create gets that struct, filled in with all but the extended members, and returns the {@code struct ibv_qp} or 0
     * @param handle makes the handle, as {@link #newQueuePair}; where it throws, the queue pair is destroyed again
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

    /** Whether a queue pair is made for the headers of TSO. */
    static boolean hasTsoHeader(QpInitAttrEx attr) {
        return (attr.compMask() & QpInitAttrMask.MAX_TSO_HEADER) != 0;
    }

    /** Makes the handle of a {@code struct ibv_qp}, which is destroyed where that fails. */
    final NativeQueuePair handleOf(long qp, LongFunction<NativeQueuePair> handle) {
        try {
            return qpVerbs.known(handle.apply(qp));
        } catch (RuntimeException e) {
            Libibverbs.ibv_destroy_qp(qp);
            throw e;
        }
    }

    /**
     * Looks at the capacities of queues that a queue pair has. Some drivers round up first and look at the limits then,
     * or at some of them.
     *
     * @throws VerbsException {@link Errno#EINVAL} where one is above the device's limit
     */
    protected void checkCap(String verb, QpCap cap) {
        DeviceAttr most = limits();
        checkLimit(verb, "maxSendWr", cap.maxSendWr(), most.maxQpWr());
        checkLimit(verb, "maxRecvWr", cap.maxRecvWr(), most.maxQpWr());
        checkLimit(verb, "maxSendSge", cap.maxSendSge(), most.maxSge());
        checkLimit(verb, "maxRecvSge", cap.maxRecvSge(), most.maxSge());
    }

    /** Looks at one capacity. */
    protected static void checkLimit(String verb, String name, int value, int limit) {
        if (value > limit) {
            throw new VerbsException(
                    Errno.EINVAL, verb, name + " is " + value + ", but the device has at most " + limit);
        }
    }

    /** What programs have made besides, and the library does not know of. It keeps the context open while it is used. */
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

    /** Gives back what the provider has made for itself, before the device is closed. The default has nothing. */
    protected void closing() {}
}
