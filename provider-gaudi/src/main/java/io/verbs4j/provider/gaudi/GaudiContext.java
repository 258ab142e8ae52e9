/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi;

import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.DeviceAttr;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.DeviceTraits;
import io.verbs4j.Errno;
import io.verbs4j.EventType;
import io.verbs4j.MemoryRegion;
import io.verbs4j.OpenAttrMask;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import io.verbs4j.hbldv.HblCqInitAttr;
import io.verbs4j.hbldv.HblDeviceCaps;
import io.verbs4j.hbldv.HblDv;
import io.verbs4j.hbldv.HblOpenAttr;
import io.verbs4j.hbldv.HblPortExAttr;
import io.verbs4j.hbldv.HblUsrFifoAttr;
import io.verbs4j.natives.lock.RingLocks;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.provider.gaudi.dv.DeviceQuery;
import io.verbs4j.provider.gaudi.dv.DvContext;
import io.verbs4j.provider.gaudi.dv.FifoPlace;
import io.verbs4j.provider.gaudi.dv.Layout;
import io.verbs4j.provider.gaudi.dv.Libhbl;
import io.verbs4j.provider.gaudi.layout.UcontextAttrLayout;
import io.verbs4j.provider.gaudi.ring.DeviceRegions;
import io.verbs4j.rdmacore.DataPath;
import io.verbs4j.rdmacore.NativeDevice;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.object.IbvQp;
import io.verbs4j.rdmacore.object.NativeCompletionQueue;
import io.verbs4j.rdmacore.object.NativeQueuePair;
import io.verbs4j.slot.CreateCqEx;
import io.verbs4j.slot.CreateQpEx;
import io.verbs4j.slot.RegMrEx;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import java.util.function.LongUnaryOperator;

/**
 * The open NICs of a Gaudi: libhbl's verbs, plus checks of device rules for which neither libhbl nor the kernel gives a
 * reason.
 */
public final class GaudiContext extends DvContext<HblPortExAttr, HblUsrFifoAttr> {
    private static final long TRAITS = DeviceTraits.EXCLUSIVE
            | DeviceTraits.KEYS_BY_CONNECTION
            | DeviceTraits.DEVICE_ADDRESSES
            | DeviceTraits.NO_COMPLETION_EVENTS;

    private static final String SET_PORT = "hbldv_set_port_ex";
    private static final int BYTE = 0xff;

    private final Accelerator accelerator;
    private final int key;
    private final Layout layout;
    private final long deviceCaps;
    private final GaudiPorts ports;
    private final DataPath path;
    private final RingLocks locks;
    private final Object numbers = new Object();
    private final GaudiSteps steps = new GaudiSteps(this);
    private final GaudiRegions memory = new GaudiRegions(this);
    private final GaudiCqs cqs = new GaudiCqs(this);
    private volatile long external; // -1 until it is queried

    private GaudiContext(
            NativeDevice device, Context context, Accelerator accelerator, HblOpenAttr attr, DataPath path) {
        super(device, context, candidate -> open(candidate, device, accelerator, attr));
        this.path = path;
        locks = new RingLocks(path.singleThreaded());
        this.accelerator = accelerator;
        key = attr.key();
        try {
            layout = DeviceQuery.layout(address());
            DeviceQuery.Told told = DeviceQuery.ask(address(), layout, attr.portsMask());
            deviceCaps = told.caps();
            ports = new GaudiPorts(this, told.ports());
            external = layout.tellsExternalPorts() ? told.external() : -1;
        } catch (RuntimeException e) {
            super.close();
            throw e;
        }
    }

    /** Opens a context. Attributes unknown here are not accepted, and so the library refuses them. */
    static GaudiContext open(NativeDevice device, Context context) {
        HblOpenAttr attr = new HblOpenAttr();
        if (context.openAttr().vendor() instanceof HblOpenAttr given) {
            attr = given;
            context.acceptOpenAttr(OpenAttrMask.VENDOR, 0);
        }
        DataPath path = DataPath.ofProperties("gaudi");
        Accelerator accelerator =
                attr.coreFd() < 0 ? Accelerator.open(device.name()) : Accelerator.ofProgram(attr.coreFd());
        try {
            return new GaudiContext(device, context, accelerator, attr, path);
        } catch (RuntimeException e) {
            accelerator.close();
            throw e;
        }
    }

    /**
     * Opens the device by {@code hbldv_open_device}, because with {@code ibv_open_device} libhbl has a single context
     * for the whole process, whatever device is requested.
     */
    private static long open(long candidate, NativeDevice device, Accelerator accelerator, HblOpenAttr attr) {
        try (Scratch c = new Scratch(UcontextAttrLayout.SIZEOF)) {
            NativeMemory.putLong(c.address() + UcontextAttrLayout.PORTS_MASK, attr.portsMask());
            NativeMemory.putInt(c.address() + UcontextAttrLayout.CORE_FD, accelerator.fd());
            long opened = Libhbl.function("hbldv_open_device").call(candidate, c.address());
            if (opened == 0) {
                int errno = Answers.errno(-1);
                throw new VerbsException(errno, "open_device", device + ": " + why(errno));
            }
            return opened;
        }
    }

    private static String why(int errno) {
        return switch (errno) {
            case Errno.EBUSY -> "it is already open, here or in another process, and can't be opened twice";
            case Errno.EINVAL -> "HblOpenAttr.portsMask names ports that the device does not have; 0 means all";
            case Errno.EBADF -> "HblOpenAttr.coreFd is not the descriptor of this device's accelerator";
            case Errno.EOPNOTSUPP ->
                "libibverbs has loaded a different libhbl than " + Libhbl.NAME + "; make one a link to the other";
            case Errno.EACCES, Errno.EPERM -> "permission denied; check the permissions of /dev/infiniband";
            default -> "libhbl could not open it: " + Errno.describe(errno);
        };
    }

    @Override
    protected void closing() {
        if (ports != null) { // null if opening fails
            ports.close();
        }
    }

    @Override
    public void close() {
        super.close();
        accelerator.close();
    }

    // ---- for the provider's other classes

    /** Returns the accelerator, which assigns device addresses. */
    Accelerator accelerator() {
        return accelerator;
    }

    /** Returns the default key of connections. */
    int key() {
        return key;
    }

    /** Returns the device addresses of registered memory. */
    DeviceRegions translations() {
        return memory.translations();
    }

    /** Returns whether Java posts and polls. If not, nothing does, as libhbl has no verbs for this. */
    boolean posts() {
        return path.java();
    }

    /** Returns the locks of the queues that Java writes and reads. */
    RingLocks locks() {
        return locks;
    }

    /**
     * Runs code that gives a queue pair its number on the wire, or takes it away, one at a time. A completion names its
     * queue pair only by this number: all completions of the old owner must be gone before another queue pair gets the
     * number.
     */
    void numbering(Runnable body) {
        synchronized (numbers) {
            body.run();
        }
    }

    @Override
    public void destroyQp(QueuePair qp) {
        numbering(() -> super.destroyQp(qp));
    }

    @Override
    public Layout layout() {
        return layout;
    }

    /** Returns the open ports. */
    GaudiPorts ports() {
        return ports;
    }

    @Override
    public long portsMask() {
        return ports.mask();
    }

    @Override
    public void prepare(String verb, int port) {
        ports.get(verb, port).prepare();
    }

    @Override
    public void setPort(HblPortExAttr attr) {
        Answers.narrow(SET_PORT, "atomicFnaMaskSize", attr.atomicFnaMaskSize(), BYTE);
        ports.get(SET_PORT, attr.portNum()).setUp(attr);
    }

    @Override
    public FifoPlace createFifo(HblUsrFifoAttr attr) {
        return GaudiFifos.create(this, attr);
    }

    @Override
    public void migrated(IbvQp qp, int number) {
        ((GaudiQp) qp).migrated(number);
    }

    /** Returns the port of a completion queue. */
    int portOf(CompletionQueue cq) {
        return cqs.portOf(cq);
    }

    @Override
    public long externalPorts() {
        if (external < 0) {
            external = ports.external();
        }
        return external;
    }

    /** Returns whether a port leads out of the server. */
    boolean isExternal(int port) {
        return (externalPorts() >>> port & 1) != 0;
    }

    @Override
    public boolean isInternal(String verb, int port) {
        return !isExternal(ports.get(verb, port).number());
    }

    /** Like {@link #modifyQp}, but calls a function of libhbl. */
    void modifyBy(QueuePair qp, QpAttr attr, int mask, LongUnaryOperator function) {
        modifyQp(qp, attr, mask, function);
    }

    @Override
    protected void awaitPosts() {
        locks.awaitAll();
    }

    @Override
    public <T> T vendor(Class<T> type) {
        return type == HblDv.class ? vendorVerbs(MethodHandles.lookup(), type) : null;
    }

    // ---- the verbs

    @Override
    protected void fill(ContextTable table) {
        super.fill(table);
        table.fillProvider(ContextSlot.REG_MR_EX, (RegMrEx) memory::registerEx);
        table.fillProvider(ContextSlot.CREATE_CQ_EX, (CreateCqEx) cqs::create);
        if (table.size() > ContextSlot.CREATE_QP_EX
                && table.provider(ContextSlot.CREATE_QP_EX) instanceof CreateQpEx usual) {
            table.fillProvider(ContextSlot.CREATE_QP_EX, (CreateQpEx) attr -> {
                GaudiQueuePairs.prepare("create_qp_ex", attr, GaudiQueuePairs.largestRing(ports));
                return usual.createQpEx(attr);
            });
        }
    }

    /**
     * Corrects limits that the kernel's driver reports wrongly: several completion queues can be created, and the
     * number of mappings has no known limit.
     */
    @Override
    public void queryDevice(DeviceAttr attr) {
        super.queryDevice(attr);
        correct(attr);
    }

    private void correct(DeviceAttr attr) {
        attr.maxSge(GaudiQueuePairs.MAX_SGE)
                .maxQpWr(Math.min(attr.maxQpWr(), GaudiQueuePairs.largestRing(ports) - 1))
                .maxQp(Math.min(attr.maxQp(), GaudiQueuePairs.most(ports)))
                .maxCq(ports.all().size() * GaudiCqs.MOST)
                .maxMr(Integer.MAX_VALUE);
    }

    @Override
    protected void tellMore(DeviceAttrEx attr) {
        super.tellMore(attr);
        correct(attr.origAttr());
        attr.offer(DeviceAttrEx.MR_ACCESS_FLAGS, GaudiRegions.ACCESS);
        attr.offer(DeviceAttrEx.QP_ACCESS_FLAGS, GaudiRegions.ACCESS);
        boolean collectives = layout.hasCollectives() && (deviceCaps & HblDeviceCaps.COLL) != 0;
        attr.offer(DeviceAttrEx.DEVICE_TRAITS, collectives ? TRAITS | DeviceTraits.COLLECTIVES : TRAITS);
        attr.offer(DeviceAttrEx.INTERNAL_PORTS, (ports.mask() & ~externalPorts()) >>> 1);
    }

    @Override
    public ProtectionDomain allocPd() {
        try {
            return super.allocPd();
        } catch (VerbsException e) {
            if (e.errno() != Errno.ESRCH) {
                throw e;
            }
            throw new VerbsException(
                    Errno.ESRCH,
                    "alloc_pd",
                    "the context already has its only protection domain; use that one, or close it",
                    e);
        }
    }

    @Override
    public MemoryRegion regMr(ProtectionDomain pd, long addr, long length, int access) {
        return memory.register(pd, addr, length, access);
    }

    @Override
    public MemoryRegion regMrBuffer(ProtectionDomain pd, ByteBuffer buffer, int access) {
        return memory.register(pd, NativeMemory.address(buffer) + buffer.position(), buffer.remaining(), access);
    }

    @Override
    public void reregMr(MemoryRegion mr, int flags, ProtectionDomain pd, long addr, long length, int access) {
        throw new VerbsException(
                Errno.EOPNOTSUPP, "rereg_mr", "the device's addresses can't be changed; register a new region");
    }

    @Override
    public void deregMr(MemoryRegion mr) {
        memory.deregister(mr);
    }

    @Override
    public CompletionQueue createCq(int cqe, Object userContext, CompletionChannel channel, int compVector) {
        return cqs.create(cqe, userContext, channel, compVector, new HblCqInitAttr());
    }

    @Override
    public CompletionQueue createCq(
            int cqe, Object userContext, CompletionChannel channel, int compVector, Object vendor) {
        return cqs.create(cqe, userContext, channel, compVector, vendorAttr("create_cq", vendor, HblCqInitAttr.class));
    }

    @Override
    public CompletionChannel createCompChannel() {
        throw new VerbsException(
                Errno.EOPNOTSUPP, "create_comp_channel", "the device has no completion events; poll instead");
    }

    @Override
    public void destroyCq(CompletionQueue cq) {
        cqs.destroy(cq, super::destroyCq);
    }

    /** Registers the handle of a completion queue, like {@link #knownCq}. */
    NativeCompletionQueue known(CqInitAttrEx attr, long cq) {
        return knownCq(attr, cq);
    }

    @Override
    protected NativeCompletionQueue newCompletionQueue(CqInitAttrEx attr, long cq) {
        return cqs.newHandle(attr, cq);
    }

    @Override
    public QueuePair createQp(ProtectionDomain pd, QpInitAttr attr) {
        QpInitAttrEx extended = QpInitAttrEx.of(pd, attr); // shares the capacities
        GaudiQueuePairs.prepare("create_qp", extended, GaudiQueuePairs.largestRing(ports));
        return super.createQp(pd, attr);
    }

    /** Checks the receive limits; Gaudi's own limits were checked before. */
    @Override
    protected void checkCap(String verb, QpCap cap) {
        checkLimit(verb, "maxRecvWr", cap.maxRecvWr(), limits().maxQpWr());
        checkLimit(verb, "maxRecvSge", cap.maxRecvSge(), limits().maxSge());
    }

    @Override
    protected long able(int qpType) {
        return qpType == QpType.RC ? GaudiQueuePairs.OPERATIONS : 0;
    }

    @Override
    protected long builtOperations(int qpType) {
        return 0;
    }

    @Override
    protected NativeQueuePair newQueuePair(QpInitAttrEx attr, long operations, long qp) {
        GaudiQueuePairs.tellRoom(attr.cap());
        return new GaudiQueuePair(context(), attr, new GaudiQp(this, attr, operations, qp));
    }

    @Override
    public void modifyQp(QueuePair qp, QpAttr attr, int mask) {
        steps.modify(qp, attr, mask);
    }

    @Override
    public void queryQp(QueuePair qp, QpAttr attr, int mask, QpInitAttr initAttr) {
        super.queryQp(qp, attr, mask, initAttr);
        GaudiQueuePairs.tellRoom(initAttr.cap());
    }

    /**
     * Corrects the port number of an event. For link events, the driver counts ports from 0; for a congested queue, it
     * puts the queue into the upper half.
     */
    @Override
    protected int portOfEvent(int eventType, int port) {
        return switch (eventType) {
            case EventType.PORT_ACTIVE, EventType.PORT_ERR -> port + 1;
            case EventType.SM_CHANGE -> port & 0xffff;
            default -> port;
        };
    }
}
