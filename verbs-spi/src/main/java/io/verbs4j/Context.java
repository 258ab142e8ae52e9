/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import io.verbs4j.slot.AllocDm;
import io.verbs4j.slot.AllocDmah;
import io.verbs4j.slot.AllocParentDomain;
import io.verbs4j.slot.AllocTd;
import io.verbs4j.slot.CreateCompCntr;
import io.verbs4j.slot.CreateCounters;
import io.verbs4j.slot.CreateCqEx;
import io.verbs4j.slot.CreateFlowActionEsp;
import io.verbs4j.slot.CreateQpEx;
import io.verbs4j.slot.CreateRwqIndTable;
import io.verbs4j.slot.CreateSrqEx;
import io.verbs4j.slot.CreateWq;
import io.verbs4j.slot.ExportDevice;
import io.verbs4j.slot.ImportDm;
import io.verbs4j.slot.ImportPd;
import io.verbs4j.slot.OpenQp;
import io.verbs4j.slot.OpenXrcd;
import io.verbs4j.slot.QueryCompCntrCaps;
import io.verbs4j.slot.QueryDeviceEx;
import io.verbs4j.slot.QueryGidEx;
import io.verbs4j.slot.QueryGidTable;
import io.verbs4j.slot.QueryValues;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * An open device. The library creates the instances; applications get them from its {@code open}.
 *
 * <p>The methods are thin: each looks up one function of the library and calls it. All may be called from any thread.
 * Source: {@code ibv_open_device(3)}.
 */
// Longer than 500 lines because programs call all verbs of an open device on this class, and each method has its
// documentation.
// More than 30 public methods because each verb of a device is one, and the API is frozen.
public abstract class Context extends VerbsObject {
    private final Device device;
    private final OpenAttr openAttr;
    private volatile long acceptedOpenAttr;
    private volatile long acceptedOpenAttr2;

    /**
     * Creates a context; for the library.
     *
     * @param device the open device
     * @param openAttr attributes it is opened with
     */
    protected Context(Device device, OpenAttr openAttr) {
        super(null);
        this.device = device;
        this.openAttr = Objects.requireNonNull(openAttr, "openAttr");
    }

    /**
     * Returns the library's functions, which add the library's own work to the provider's.
     *
     * @return the functions, the same at every call
     */
    protected abstract ContextOps libraryOps();

    /**
     * Returns what the library stores with an object; for the library.
     *
     * @param object any handle
     * @return the state that {@link #libraryState(VerbsObject, Object)} stored, or null
     */
    protected static Object libraryState(VerbsObject object) {
        return object.libraryState;
    }

    /**
     * Stores state of the library with an object; for the library.
     *
     * @param object any handle
     * @param state the state to store
     */
    protected static void libraryState(VerbsObject object, Object state) {
        object.libraryState = state;
    }

    /** {@return the open device} */
    public final Device device() {
        return device;
    }

    /**
     * Returns the attributes that the device was opened with; for providers, while they open it.
     *
     * @return the attributes given at open; with empty masks if there were none
     */
    public final OpenAttr openAttr() {
        return openAttr;
    }

    /**
     * Declares which attributes of {@link #openAttr()} the provider knows and has honoured; for providers, while they
     * open the device. The library fails the open if the attributes have others. Initially none is accepted.
     *
     * @param known bits of the first mask
     * @param known2 bits of the second mask
     */
    public final void acceptOpenAttr(long known, long known2) {
        acceptedOpenAttr |= known;
        acceptedOpenAttr2 |= known2;
    }

    /**
     * Returns whether the provider has honoured all attributes that the device was opened with; for the library.
     *
     * @param context the context
     * @return false if an attribute remains that may not be ignored
     */
    protected static boolean openAttrAccepted(Context context) {
        return context.openAttr.hasOnly(context.acceptedOpenAttr, context.acceptedOpenAttr2);
    }

    /**
     * Returns the vendor's own verbs of this device, an interface that the provider's jar exports. The provider returns
     * an object of the type, or does not know the type.
     *
     * @param <T> a type that the provider exports
     * @param type that type
     * @return the provider's object, the same at every call
     * @throws VerbsException {@link Errno#EINVAL} for null and after close; {@link Errno#EOPNOTSUPP} if the device's
     *     provider does not know the type; the message names the provider
     */
    public final <T> T vendor(Class<T> type) {
        return libraryOps().vendor(type);
    }

    /**
     * Returns the number of completion vectors: {@code compVector} ranges from 0 to this number minus 1.
     *
     * @return the number, at least 1
     * @throws VerbsException {@link Errno#EINVAL} after close
     */
    public final int numCompVectors() {
        return libraryOps().numCompVectors();
    }

    /**
     * Queries the capabilities of the device. Source: {@code ibv_query_device(3)}.
     *
     * @return a new instance with the result
     * @throws VerbsException with the device's errno
     */
    public final DeviceAttr queryDevice() {
        DeviceAttr attr = new DeviceAttr();
        libraryOps().queryDevice(attr);
        return attr;
    }

    /**
     * Queries the attributes of a port. Source: {@code ibv_query_port(3)}.
     *
     * @param portNum port number, from 1
     * @return a new instance with the result
     * @throws VerbsException {@link Errno#EINVAL} if there is no such port
     */
    public final PortAttr queryPort(int portNum) {
        PortAttr attr = new PortAttr();
        libraryOps().queryPort(portNum, attr);
        return attr;
    }

    /**
     * Reads an entry of a port's GID table. Source: {@code ibv_query_gid(3)}.
     *
     * @param portNum port number, from 1
     * @param index index of the entry, from 0
     * @return the GID; {@link Gid#ZERO} if the entry is empty
     * @throws VerbsException {@link Errno#EINVAL} if there is no such port or entry
     */
    public final Gid queryGid(int portNum, int index) {
        return libraryOps().queryGid(portNum, index);
    }

    /**
     * Reads an entry of a port's P_Key table. Source: {@code ibv_query_pkey(3)}.
     *
     * @param portNum port number, from 1
     * @param index index of the entry, from 0
     * @return the P_Key as a number, 0 to 0xffff
     * @throws VerbsException {@link Errno#EINVAL} if there is no such port or entry
     */
    public final int queryPkey(int portNum, int index) {
        return libraryOps().queryPkey(portNum, index);
    }

    /**
     * Allocates a protection domain. Source: {@code ibv_alloc_pd(3)}.
     *
     * @return the new domain
     * @throws VerbsException {@link Errno#ENOMEM} if the device has no more
     */
    public final ProtectionDomain allocPd() {
        return libraryOps().allocPd();
    }

    /**
     * Queries who takes part in this context, at which level, and which extended verbs are available. Since level 2.
     *
     * @return a new instance with the result; with a library of level 1, only the origin is known
     */
    public final ContextAttr queryContext() {
        ContextAttr attr = new ContextAttr();
        if (this instanceof ExtendedContext extended) {
            extended.queryContext(attr);
        } else {
            attr.offer(ContextAttr.LIBRARY_ORIGIN, Extension.origin(getClass()));
        }
        return attr;
    }

    /**
     * Opens an XRC domain. Since level 2. Source: {@code ibv_open_xrcd(3)}.
     *
     * @param attr how to open it
     * @return a new handle of the domain
     * @throws VerbsException {@link Errno#ENOSYS} if the library is older than level 2; {@link Errno#EOPNOTSUPP} if the
     *     provider does not have the verb, and for a bit of the mask that the library does not know;
     *     {@link Errno#EINVAL} for values missing or out of range; {@link Errno#ENOENT} if there is no domain (or no
     *     file) and it was not to be created; {@link Errno#EEXIST} if there is one and it was to be created;
     *     {@link Errno#ENOMEM} if there are no more
     */
    public final XrcDomain openXrcd(XrcdInitAttr attr) {
        return Extension.require(this, ContextSlot.OPEN_XRCD, OpenXrcd.class).openXrcd(attr);
    }

    /**
     * Creates a shared receive queue. If library or provider do not have this verb,
     * {@link ProtectionDomain#createSrq(SrqInitAttr)} serves as a fallback for what it supports: type BASIC. Since
     * level 2. Source: {@code ibv_create_srq_ex(3)}.
     *
     * @param attr attributes of the queue; afterwards {@link SrqInitAttrEx#attr()} holds the actual capacities
     * @return the new queue
     * @throws VerbsException {@link Errno#ENOSYS} if the library is older than level 2; {@link Errno#EOPNOTSUPP} if the
     *     provider does not have the verb, and for an unknown bit of the mask; {@link Errno#EINVAL} for values missing
     *     or out of range; {@link Errno#ENOMEM} if there are no more
     */
    public final SharedReceiveQueue createSrqEx(SrqInitAttrEx attr) {
        CreateSrqEx extended = Extension.find(this, ContextSlot.CREATE_SRQ_EX, CreateSrqEx.class);
        if (extended != null) {
            return extended.createSrqEx(attr);
        }
        if (attr != null && attr.pd() != null && attr.isBase()) {
            SrqInitAttr base = attr.toBase();
            SharedReceiveQueue srq = libraryOps().createSrq(attr.pd(), base);
            attr.attr(base.attr()); // the actual capacities: a provider may have set another object
            return srq;
        }
        throw Extension.missing(this, ContextSlot.CREATE_SRQ_EX);
    }

    /**
     * Creates a queue pair in state RESET. If library or provider do not have this verb,
     * {@link ProtectionDomain#createQp(QpInitAttr)} serves as a fallback for what it supports: the types of level 1,
     * with a protection domain and nothing else in the mask. Since level 2. Source: {@code ibv_create_qp_ex(3)}.
     *
     * @param attr attributes of the queue pair; afterwards {@link QpInitAttrEx#cap()} holds the actual capacities
     * @return the new queue pair
     * @throws VerbsException {@link Errno#ENOSYS} if the library is older than level 2; {@link Errno#EOPNOTSUPP} if the
     *     provider does not have the verb or the type, and for an unknown bit of the mask; {@link Errno#EINVAL} for
     *     values missing or out of range; {@link Errno#ENOMEM} if there are no more
     */
    public final QueuePair createQpEx(QpInitAttrEx attr) {
        CreateQpEx extended = Extension.find(this, ContextSlot.CREATE_QP_EX, CreateQpEx.class);
        if (extended != null) {
            return extended.createQpEx(attr);
        }
        if (attr != null && attr.pd() != null && attr.isBase()) {
            QpInitAttr base = attr.toBase();
            QueuePair qp = libraryOps().createQp(attr.pd(), base);
            attr.cap(base.cap()); // the actual capacities: a provider may have set another object
            return qp;
        }
        throw Extension.missing(this, ContextSlot.CREATE_QP_EX);
    }

    /**
     * Opens a queue pair of an XRC domain that another process or context has created. The queue pair lives until its
     * last handle is closed. Since level 2. Source: {@code ibv_open_qp(3)}.
     *
     * @param attr which queue pair to open
     * @return a new handle of that queue pair
     * @throws VerbsException {@link Errno#ENOSYS} if the library is older than level 2; {@link Errno#EOPNOTSUPP} if the
     *     provider does not have the verb, and for an unknown bit of the mask; {@link Errno#EINVAL} for values missing
     *     or out of range, and if the domain has no such queue pair; {@link Errno#ENOMEM} if there are no more
     */
    public final QueuePair openQp(QpOpenAttr attr) {
        return Extension.require(this, ContextSlot.OPEN_QP, OpenQp.class).openQp(attr);
    }

    /**
     * Creates an extended completion queue, whose completions can carry more than those of level 1 and are read one at
     * a time by {@link CompletionQueue#startPoll(PollCqAttr)}. If library or provider do not have this verb,
     * {@link #createCq(int)} serves as a fallback for what it supports: {@link WcExFlags#STANDARD} and no flags; such a
     * queue has no {@code startPoll}. Since level 3. Source: {@code ibv_create_cq_ex(3)}.
     *
     * @param attr attributes of the queue
     * @return the new queue
     * @throws VerbsException {@link Errno#ENOSYS} if the library is older than level 3; {@link Errno#EOPNOTSUPP} if the
     *     provider does not have the verb, or the device does not support the requested fields; {@link Errno#EINVAL}
     *     for values out of range; {@link Errno#ENOMEM} if there are no more
     */
    public final CompletionQueue createCqEx(CqInitAttrEx attr) {
        CreateCqEx extended = Extension.find(this, ContextSlot.CREATE_CQ_EX, CreateCqEx.class);
        if (extended != null) {
            return extended.createCqEx(attr);
        }
        if (attr == null || !attr.isBase()) {
            throw Extension.missing(this, ContextSlot.CREATE_CQ_EX);
        }
        return attr.vendor() == null
                ? createCq(attr.cqe(), attr.userContext(), attr.channel(), attr.compVector())
                : createCq(attr.cqe(), attr.userContext(), attr.channel(), attr.compVector(), attr.vendor());
    }

    /**
     * Reads values of the device that change over time, like its clock. Since level 3. Source:
     * {@code ibv_query_rt_values_ex(3)}.
     *
     * @param wanted {@link ValuesMask} bits
     * @return a new instance, whose mask says which of the values the device has: at least one
     * @throws VerbsException {@link Errno#ENOSYS} if the library is older than level 3; {@link Errno#EOPNOTSUPP} if the
     *     device has none of them; {@link Errno#EINVAL} for 0
     */
    public final ValuesEx queryValues(long wanted) {
        ValuesEx values = new ValuesEx();
        Extension.require(this, ContextSlot.QUERY_VALUES, QueryValues.class).queryValues(wanted, values);
        return values;
    }

    /**
     * Queries the extended capabilities of the device. If library or provider do not have this verb,
     * {@link #queryDevice()} serves as a fallback: fields that it does not report are not filled. Since level 3.
     * Source: {@code ibv_query_device_ex(3)}.
     *
     * @return a new instance with the result
     * @throws VerbsException with the device's errno
     */
    public final DeviceAttrEx queryDeviceEx() {
        return queryDeviceEx(new QueryDeviceExInput());
    }

    /**
     * Queries the extended capabilities of the device with input attributes; otherwise as {@link #queryDeviceEx()}.
     *
     * @param input the input attributes
     * @return a new instance with the result
     * @throws VerbsException {@link Errno#EOPNOTSUPP} for an unknown bit of the mask
     */
    public final DeviceAttrEx queryDeviceEx(QueryDeviceExInput input) {
        DeviceAttrEx attr = new DeviceAttrEx();
        QueryDeviceEx extended = Extension.find(this, ContextSlot.QUERY_DEVICE_EX, QueryDeviceEx.class);
        if (extended != null) {
            extended.queryDeviceEx(input, attr);
            return attr;
        }
        if (input == null || !input.hasOnly(0, 0)) {
            throw Extension.missing(this, ContextSlot.QUERY_DEVICE_EX);
        }
        DeviceAttr base = queryDevice();
        attr.offer(DeviceAttrEx.ORIG_ATTR, base);
        attr.offer(DeviceAttrEx.DEVICE_CAP_FLAGS_EX, base.deviceCaps());
        attr.offer(DeviceAttrEx.PHYS_PORT_CNT_EX, base.physPortCnt());
        return attr;
    }

    /**
     * Reads an entry of a port's GID table, with its type. If library or provider do not have this verb,
     * {@link #queryGid(int, int)} serves as a fallback: the type is then known only for InfiniBand and for IPv4
     * addresses. Since level 3. Source: {@code ibv_query_gid_ex(3)}.
     *
     * @param portNum port number, from 1
     * @param gidIndex index of the entry, from 0
     * @return a new instance with the entry
     * @throws VerbsException {@link Errno#ENODATA} if the entry is empty; {@link Errno#EINVAL} if there is no such port
     *     or entry
     */
    public final GidEntry queryGidEx(int portNum, int gidIndex) {
        GidEntry entry = new GidEntry();
        QueryGidEx extended = Extension.find(this, ContextSlot.QUERY_GID_EX, QueryGidEx.class);
        if (extended != null) {
            extended.queryGidEx(portNum, gidIndex, 0, entry);
            return entry;
        }
        Gid gid = queryGid(portNum, gidIndex);
        if (gid.equals(Gid.ZERO)) {
            throw new VerbsException(
                    Errno.ENODATA, "query_gid_ex", "entry " + gidIndex + " of port " + portNum + " is empty");
        }
        entry.offer(GidEntry.GID, gid);
        entry.offer(GidEntry.GID_INDEX, gidIndex);
        entry.offer(GidEntry.PORT_NUM, portNum);
        if (queryPort(portNum).linkLayer() == LinkLayer.INFINIBAND) {
            entry.offer(GidEntry.GID_TYPE, GidType.IB);
        } else if (gid.isIpv4Mapped()) {
            entry.offer(GidEntry.GID_TYPE, GidType.ROCE_V2);
        }
        return entry;
    }

    /**
     * Reads the GID tables of all ports, without the empty entries. If library or provider do not have this verb,
     * {@link #queryGidEx(int, int)} serves as a fallback. Since level 3. Source: {@code ibv_query_gid_table(3)}.
     *
     * @return the entries, by port and index
     * @throws VerbsException with the device's errno
     */
    public final List<GidEntry> queryGidTable() {
        QueryGidTable extended = Extension.find(this, ContextSlot.QUERY_GID_TABLE, QueryGidTable.class);
        int ports = queryDeviceEx().physPortCntEx();
        return extended == null ? gidsOneByOne(ports) : gidsAtOnce(extended, ports);
    }

    private List<GidEntry> gidsAtOnce(QueryGidTable extended, int ports) {
        int length = 0;
        for (int port = 1; port <= ports; port++) {
            length += queryPort(port).gidTblLen();
        }
        AttrArray table = new AttrArray(length, GidEntry.WORDS);
        int filled = extended.queryGidTable(0, table);
        List<GidEntry> entries = new ArrayList<>(filled);
        for (int i = 0; i < filled; i++) {
            entries.add(GidEntry.of(table, i));
        }
        return entries;
    }

    private List<GidEntry> gidsOneByOne(int ports) {
        List<GidEntry> entries = new ArrayList<>();
        for (int port = 1; port <= ports; port++) {
            int length = queryPort(port).gidTblLen();
            for (int index = 0; index < length; index++) {
                addGid(entries, port, index);
            }
        }
        return entries;
    }

    private void addGid(List<GidEntry> entries, int port, int index) {
        try {
            entries.add(queryGidEx(port, index));
        } catch (VerbsException e) {
            if (e.errno() != Errno.ENODATA) {
                throw e;
            }
        }
    }

    /**
     * Allocates a thread domain. Since level 3. Source: {@code ibv_alloc_td(3)}.
     *
     * @param attr attributes of the domain
     * @return the new domain
     * @throws VerbsException {@link Errno#ENOSYS} if the library is older than level 3; {@link Errno#EOPNOTSUPP} if the
     *     device has none
     */
    public final ThreadDomain allocTd(TdInitAttr attr) {
        return Extension.require(this, ContextSlot.ALLOC_TD, AllocTd.class).allocTd(attr);
    }

    /**
     * Allocates a parent domain. Since level 3. Source: {@code ibv_alloc_parent_domain(3)}.
     *
     * @param attr the domains and allocators it consists of
     * @return the new domain
     * @throws VerbsException {@link Errno#ENOSYS} if the library is older than level 3; {@link Errno#EOPNOTSUPP} if the
     *     device has none; {@link Errno#EINVAL} for a parent domain of a parent domain
     */
    public final ParentDomain allocParentDomain(ParentDomainInitAttr attr) {
        return Extension.require(this, ContextSlot.ALLOC_PARENT_DOMAIN, AllocParentDomain.class)
                .allocParentDomain(attr);
    }

    /**
     * Queries the capabilities of the device's completion counters. Since level 4. Source:
     * {@code ibv_query_comp_cntr_caps(3)}.
     *
     * @return the result
     * @throws VerbsException {@link Errno#ENOSYS} if the library is older than level 4; {@link Errno#EOPNOTSUPP} if the
     *     device has none
     */
    public final CompCntrCaps queryCompCntrCaps() {
        CompCntrCaps caps = new CompCntrCaps();
        Extension.require(this, ContextSlot.QUERY_COMP_CNTR_CAPS, QueryCompCntrCaps.class)
                .queryCompCntrCaps(caps);
        return caps;
    }

    /**
     * Creates a completion counter, which starts at 0. Since level 4. Source: {@code ibv_create_comp_cntr(3)}.
     *
     * @param attr what it counts
     * @return the new counter
     * @throws VerbsException {@link Errno#ENOSYS} if the library is older than level 4; {@link Errno#EOPNOTSUPP} if the
     *     device has none, or none of that type; {@link Errno#ENOMEM} if all counters are in use
     */
    public final CompletionCounter createCompCntr(CompCntrInitAttr attr) {
        return Extension.require(this, ContextSlot.CREATE_COMP_CNTR, CreateCompCntr.class)
                .createCompCntr(attr);
    }

    /**
     * Allocates memory on the device. Since level 3. Source: {@code ibv_alloc_dm(3)}.
     *
     * @param attr length and alignment
     * @return the new memory
     * @throws VerbsException {@link Errno#ENOSYS} if the library is older than level 3; {@link Errno#EOPNOTSUPP} if the
     *     device has none; {@link Errno#EINVAL} for a length or an alignment out of range; {@link Errno#ENOMEM} if
     *     there is no more
     */
    public final DeviceMemory allocDm(AllocDmAttr attr) {
        return Extension.require(this, ContextSlot.ALLOC_DM, AllocDm.class).allocDm(attr);
    }

    /**
     * Allocates hints for the device's accesses to memory over PCIe. Since level 4. Source: {@code ibv_alloc_dmah(3)}.
     *
     * @param attr the hints
     * @return a new handle, for {@link RegMrAttrEx#dmah(DmaHandle)}
     * @throws VerbsException {@link Errno#ENOSYS} if the library is older than level 4; {@link Errno#EOPNOTSUPP} if the
     *     device, the kernel or the machine has no such hints; {@link Errno#EINVAL} for hints out of range
     */
    public final DmaHandle allocDmah(DmahInitAttr attr) {
        return Extension.require(this, ContextSlot.ALLOC_DMAH, AllocDmah.class).allocDmah(attr);
    }

    /**
     * Creates an IPsec ESP action, which flows apply by {@link FlowSpecActionHandle}. Since level 4. Source:
     * {@code ibv_create_flow_action(3)}.
     *
     * @param attr what the action does, with parameters and a key
     * @return the new action
     * @throws VerbsException {@link Errno#ENOSYS} if the library is older than level 4; {@link Errno#EOPNOTSUPP} if the
     *     device has no such actions; {@link Errno#EINVAL} without parameters or a key, and for a key length other than
     *     16, 24 or 32 bytes
     */
    public final FlowAction createFlowActionEsp(FlowActionEspAttr attr) {
        return Extension.require(this, ContextSlot.CREATE_FLOW_ACTION_ESP, CreateFlowActionEsp.class)
                .createFlowActionEsp(attr);
    }

    /**
     * Creates a work queue in state RESET: one of several over which a queue pair spreads the packets that it receives.
     * Since level 4. Source: {@code ibv_create_wq(3)}.
     *
     * @param attr attributes of the queue; its capacities hold the actual values afterwards
     * @return the new queue
     * @throws VerbsException {@link Errno#ENOSYS} if the library is older than level 4; {@link Errno#EOPNOTSUPP} if the
     *     device has no work queues, or not of this type or with these flags; {@link Errno#EINVAL} for values out of
     *     range
     */
    public final WorkQueue createWq(WqInitAttr attr) {
        return Extension.require(this, ContextSlot.CREATE_WQ, CreateWq.class).createWq(attr);
    }

    /**
     * Creates an indirection table of work queues, for {@link QpInitAttrEx#rwqIndTbl(RwqIndTable)}. Its work queues
     * cannot be closed before the table. Since level 4. Source: {@code ibv_create_rwq_ind_table(3)}.
     *
     * @param attr the work queues
     * @return the new table
     * @throws VerbsException {@link Errno#ENOSYS} if the library is older than level 4; {@link Errno#EOPNOTSUPP} if the
     *     device has no such tables; {@link Errno#EINVAL} if the number of work queues is not a power of two, or
     *     exceeds {@link DeviceAttrEx#rssMaxRwqIndirectionTableSize()}
     */
    public final RwqIndTable createRwqIndTable(RwqIndTableInitAttr attr) {
        return Extension.require(this, ContextSlot.CREATE_RWQ_IND_TABLE, CreateRwqIndTable.class)
                .createRwqIndTable(attr);
    }

    /**
     * Creates counters of packets or bytes that flows steer. Since level 4. Source: {@code ibv_create_counters(3)}.
     *
     * @param attr attributes of the counters
     * @return new counters, of which none counts yet
     * @throws VerbsException {@link Errno#ENOSYS} if the library is older than level 4; {@link Errno#EOPNOTSUPP} if the
     *     device has none
     */
    public final Counters createCounters(CountersInitAttr attr) {
        return Extension.require(this, ContextSlot.CREATE_COUNTERS, CreateCounters.class)
                .createCounters(attr);
    }

    /**
     * Exports this context as a file descriptor, through which another context can share its objects. Pass it on, for
     * instance over a Unix-domain socket with {@code SCM_RIGHTS}, and open the same device there with
     * {@link OpenAttr#importFd(int)}. Whoever has the descriptor can do whatever this context can. Since level 4.
     * Source: the {@code cmd_fd} of {@code ibv_import_device(3)}.
     *
     * @return a new descriptor, which the caller must close; open contexts do not depend on it
     * @throws VerbsException {@link Errno#ENOSYS} if the library is older than level 4; {@link Errno#EOPNOTSUPP} if the
     *     device cannot share contexts; {@link Errno#EMFILE} if the process has no descriptor left
     */
    public final ExportedFd exportDevice() {
        return Extension.require(this, ContextSlot.EXPORT_DEVICE, ExportDevice.class)
                .exportDevice();
    }

    /**
     * Imports a protection domain: objects created in it here and objects created in it by the context that allocated
     * it can be used together. Closing the returned handle leaves the domain as it is. The context that allocated the
     * domain frees it, and must do so last. Since level 4. Source: {@code ibv_import_pd(3)}.
     *
     * @param handle the number of a domain of a context that shares a descriptor with this one: its
     *     {@link ProtectionDomain#exportHandle()}
     * @return a new handle of the domain
     * @throws VerbsException {@link Errno#ENOSYS} if the library is older than level 4; {@link Errno#EOPNOTSUPP} if the
     *     device does not support it; an errno of the device, usually {@link Errno#EINVAL} or {@link Errno#ENOENT}, if
     *     no domain has that number
     */
    public final ProtectionDomain importPd(int handle) {
        ProtectionDomain pd =
                Extension.require(this, ContextSlot.IMPORT_PD, ImportPd.class).importPd(handle);
        pd.imported = true;
        return pd;
    }

    /**
     * Imports memory on the device. Closing the returned handle leaves the memory as it is. Since level 4. Source:
     * {@code ibv_import_dm(3)}.
     *
     * @param handle the number of the memory: its {@link DeviceMemory#exportHandle()}
     * @param length its length in bytes, which C does not report; a smaller length uses only its beginning
     * @return a new handle of the memory, of that length
     * @throws VerbsException as {@link #importPd(int)}, and {@link Errno#EINVAL} for a length below 1. A length that is
     *     too large fails either at once, or with {@link Errno#EFAULT} when bytes beyond the end are accessed
     */
    public final DeviceMemory importDm(int handle, long length) {
        DeviceMemory dm =
                Extension.require(this, ContextSlot.IMPORT_DM, ImportDm.class).importDm(handle, length);
        dm.imported = true;
        return dm;
    }

    /**
     * Creates a completion channel. Source: {@code ibv_create_comp_channel(3)}.
     *
     * @return the new channel
     * @throws VerbsException {@link Errno#EMFILE} or {@link Errno#ENOMEM} if there are no more
     */
    public final CompletionChannel createCompChannel() {
        return libraryOps().createCompChannel();
    }

    /**
     * Creates a completion queue without a completion channel.
     *
     * @param cqe minimum number of entries, from 1
     * @return the new queue
     * @throws VerbsException as {@link #createCq(int, Object, CompletionChannel, int)}
     */
    public final CompletionQueue createCq(int cqe) {
        return createCq(cqe, null, null, 0);
    }

    /**
     * Creates a completion queue. Source: {@code ibv_create_cq(3)}.
     *
     * @param cqe minimum number of entries, from 1
     * @param userContext application object that the queue carries; may be null
     * @param channel channel that receives its completion events, or null
     * @param compVector completion vector for its events, 0 to {@link #numCompVectors()} minus 1
     * @return the new queue
     * @throws VerbsException {@link Errno#EINVAL} for a number out of range or a channel of another context;
     *     {@link Errno#ENOMEM} if there are no more
     */
    public final CompletionQueue createCq(int cqe, Object userContext, CompletionChannel channel, int compVector) {
        return libraryOps().createCq(cqe, userContext, channel, compVector);
    }

    /**
     * Creates a completion queue with the vendor's own attributes; otherwise as
     * {@link #createCq(int, Object, CompletionChannel, int)}. Source: {@code mlx5dv_create_cq(3)},
     * {@code efadv_create_cq(3)}.
     *
     * @param cqe minimum number of entries
     * @param userContext application object that the queue carries; may be null
     * @param channel channel that receives its events, or null
     * @param compVector completion vector, from 0
     * @param vendor the attributes, of a type that the provider exports
     * @return the new queue
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if the device's provider does not know the type
     */
    public final CompletionQueue createCq(
            int cqe, Object userContext, CompletionChannel channel, int compVector, Object vendor) {
        return libraryOps().createCq(cqe, userContext, channel, compVector, vendor);
    }

    /**
     * Waits for the next asynchronous event. It need not be acknowledged by {@link AsyncEvent#ack()}: unlike in C, the
     * object that it is about can be closed at any time, and the event stays valid. Source:
     * {@code ibv_get_async_event(3)}.
     *
     * @return the event; null if the wait was woken without one
     * @throws VerbsException {@link Errno#EINTR} if the thread is interrupted (it stays interrupted);
     *     {@link Errno#EBADF} if the context is closed, before or during the wait
     */
    public final AsyncEvent getAsyncEvent() {
        return libraryOps().getAsyncEvent(-1);
    }

    /**
     * Waits for the next asynchronous event for a limited time. The wait may end early, when woken.
     *
     * @param timeout maximum time to wait; 0 checks without waiting
     * @param unit the unit of {@code timeout}
     * @return the event, or null if there was none in that time or the wait was woken
     * @throws VerbsException as {@link #getAsyncEvent()}, and {@link Errno#EINVAL} without a unit
     */
    public final AsyncEvent getAsyncEvent(long timeout, TimeUnit unit) {
        return libraryOps().getAsyncEvent(nanos("get_async_event", timeout, unit));
    }

    /**
     * Passes asynchronous events to a handler from now on, so that none of the program's own threads has to wait.
     *
     * @param executor runs the handler; {@code Runnable::run} runs it in the subscription's own thread
     * @param handler takes the event; its exceptions go where the executor's exceptions go
     * @return the subscription; close it, or close the context, to end it
     */
    public final EventSubscription subscribe(Executor executor, Consumer<? super AsyncEvent> handler) {
        return EventSubscription.of(this, this::getAsyncEvent, executor, handler);
    }

    /**
     * Returns the file descriptor that is readable while there are asynchronous events, for event loops outside Java.
     * The device owns it: do not read from it or close it, and remove it from the loop before the context is closed.
     *
     * @return the file descriptor, the same at each call; -1 if the device has none, or the process cannot open another
     * @throws VerbsException {@link Errno#EINVAL} after close
     */
    public final int asyncEventDescriptor() {
        return libraryOps().asyncEventDescriptor();
    }

    /**
     * Computes the path back to the sender of a datagram. Source: {@code ibv_init_ah_from_wc(3)}.
     *
     * @param portNum port that received the datagram, from 1
     * @param wc completion of the receive
     * @param grh buffer whose first 40 bytes from its position are those of the receive buffer; it is not changed
     * @return a new address vector
     * @throws VerbsException {@link Errno#EINVAL} if the port does not have the GID that the datagram was sent to,
     *     without a completion, and without the 40 bytes if the completion says that there are any
     */
    public final AhAttr initAhFromWc(int portNum, WorkCompletion wc, ByteBuffer grh) {
        return Grh.pathBack(this, portNum, wc, grh);
    }

    /**
     * Closes the device. Source: {@code ibv_close_device(3)}.
     *
     * @throws VerbsException {@link Errno#EBUSY} while the context has open objects
     */
    @Override
    public final void close() {
        libraryOps().close();
    }

    @Override
    public final String toString() {
        return "context of " + device;
    }
}
