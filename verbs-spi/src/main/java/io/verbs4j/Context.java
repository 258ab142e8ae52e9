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
 * An open device. The library makes the instances; applications get them from its {@code open}.
 *
 * <p>The methods are thin: each looks up one function of the library and calls it. All may be called from any thread.
 * Source: {@code ibv_open_device(3)}.
 */
public abstract class Context extends VerbsObject {
    private final Device device;
    private final OpenAttr openAttr;
    private volatile long acceptedOpenAttr;
    private volatile long acceptedOpenAttr2;

    /**
     * Creates a context; for the library.
     *
     * @param device the device that is open
     * @param openAttr how it is opened
     */
    protected Context(Device device, OpenAttr openAttr) {
        super(null);
        this.device = device;
        this.openAttr = Objects.requireNonNull(openAttr, "openAttr");
    }

    /**
     * The library's functions: its own work around the provider's.
     *
     * @return the functions, the same at every call
     */
    protected abstract ContextOps libraryOps();

    /**
     * What the library keeps with an object; for the library.
     *
     * @param object any handle
     * @return what {@link #libraryState(VerbsObject, Object)} put there, or null
     */
    protected static Object libraryState(VerbsObject object) {
        return object.libraryState;
    }

    /**
     * Keeps something of the library's with an object; for the library.
     *
     * @param object any handle
     * @param state what to keep
     */
    protected static void libraryState(VerbsObject object, Object state) {
        object.libraryState = state;
    }

    /**
     * The device that is open.
     *
     * @return the device
     */
    public final Device device() {
        return device;
    }

    /**
     * How the device was opened; for providers, while they open it.
     *
     * @return the attributes that were given at open; without any bit where none were
     */
    public final OpenAttr openAttr() {
        return openAttr;
    }

    /**
     * Says which attributes of {@link #openAttr()} the provider knows and has honoured; for providers, while they open the
     * device. The library refuses the open where the attributes have others. Nothing is accepted to begin with.
     *
     * @param known bits of the first mask
     * @param known2 bits of the second mask
     */
    public final void acceptOpenAttr(long known, long known2) {
        acceptedOpenAttr |= known;
        acceptedOpenAttr2 |= known2;
    }

    /**
     * Whether the provider has honoured all that the device was opened with; for the library.
     *
     * @param context the context
     * @return false where an attribute is left that may not be dropped
     */
    protected static boolean openAttrAccepted(Context context) {
        return context.openAttr.hasOnly(context.acceptedOpenAttr, context.acceptedOpenAttr2);
    }

    /**
     * The vendor's own verbs of this device: the door to what a provider's jar exports besides. The provider answers with an
     * object of the type, or does not know the type.
     *
     * @param <T> a type that the provider exports
     * @param type that type
     * @return the provider's object, the same at every call
     * @throws VerbsException {@link Errno#EINVAL} for null and after close; {@link Errno#EOPNOTSUPP} where the device's provider
     *     does not know the type; the message names the provider
     */
    public final <T> T vendor(Class<T> type) {
        return libraryOps().vendor(type);
    }

    /**
     * The number of completion vectors: what {@code compVector} may be is 0 to this minus 1.
     *
     * @return the number, at least 1
     * @throws VerbsException {@link Errno#EINVAL} after close
     */
    public final int numCompVectors() {
        return libraryOps().numCompVectors();
    }

    /**
     * Asks what the device can do. Source: {@code ibv_query_device(3)}.
     *
     * @return a new instance with the answer
     * @throws VerbsException with the device's errno
     */
    public final DeviceAttr queryDevice() {
        DeviceAttr attr = new DeviceAttr();
        libraryOps().queryDevice(attr);
        return attr;
    }

    /**
     * Asks for the state of a port. Source: {@code ibv_query_port(3)}.
     *
     * @param portNum the port, from 1
     * @return a new instance with the answer
     * @throws VerbsException {@link Errno#EINVAL} where there is no such port
     */
    public final PortAttr queryPort(int portNum) {
        PortAttr attr = new PortAttr();
        libraryOps().queryPort(portNum, attr);
        return attr;
    }

    /**
     * Reads an entry of a port's GID table. Source: {@code ibv_query_gid(3)}.
     *
     * @param portNum the port, from 1
     * @param index the entry, from 0
     * @return the GID; {@link Gid#ZERO} where the entry is empty
     * @throws VerbsException {@link Errno#EINVAL} where there is no such port or entry
     */
    public final Gid queryGid(int portNum, int index) {
        return libraryOps().queryGid(portNum, index);
    }

    /**
     * Reads an entry of a port's P_Key table. Source: {@code ibv_query_pkey(3)}.
     *
     * @param portNum the port, from 1
     * @param index the entry, from 0
     * @return the P_Key as a number, 0 to 0xffff
     * @throws VerbsException {@link Errno#EINVAL} where there is no such port or entry
     */
    public final int queryPkey(int portNum, int index) {
        return libraryOps().queryPkey(portNum, index);
    }

    /**
     * Allocates a protection domain. Source: {@code ibv_alloc_pd(3)}.
     *
     * @return the new domain
     * @throws VerbsException {@link Errno#ENOMEM} where the device has no more
     */
    public final ProtectionDomain allocPd() {
        return libraryOps().allocPd();
    }

    /**
     * Tells who takes part in this context, at which level, and which extended verbs there are. Since level 2.
     *
     * @return a new instance with the answer; of a library of level 1 it knows the origin alone
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
     * @return the new handle of the domain
     * @throws VerbsException {@link Errno#ENOSYS} where the library is older than level 2; {@link Errno#EOPNOTSUPP} where the
     *     provider does not have the verb, and for a bit of the mask that the library does not know; {@link Errno#EINVAL} for
     *     what is missing or out of range; {@link Errno#ENOENT} where there is no domain (or no file) and it was not to be made;
     *     {@link Errno#EEXIST} where there is one and it was to be new; {@link Errno#ENOMEM} where there are no more
     */
    public final XrcDomain openXrcd(XrcdInitAttr attr) {
        return Extension.require(this, ContextSlot.OPEN_XRCD, OpenXrcd.class).openXrcd(attr);
    }

    /**
     * Creates a shared receive queue. Where library or provider do not have this verb, {@link
     * ProtectionDomain#createSrq(SrqInitAttr)} serves for what it can do: type BASIC. Since level 2. Source: {@code
     * ibv_create_srq_ex(3)}.
     *
     * @param attr how to make it; {@link SrqInitAttrEx#attr()} holds afterwards what was given
     * @return the new queue
     * @throws VerbsException {@link Errno#ENOSYS} where the library is older than level 2; {@link Errno#EOPNOTSUPP} where the
     *     provider does not have the verb, and for a bit of the mask that is not known; {@link Errno#EINVAL} for what is missing
     *     or out of range; {@link Errno#ENOMEM} where there are no more
     */
    public final SharedReceiveQueue createSrqEx(SrqInitAttrEx attr) {
        CreateSrqEx extended = Extension.find(this, ContextSlot.CREATE_SRQ_EX, CreateSrqEx.class);
        if (extended != null) {
            return extended.createSrqEx(attr);
        }
        if (attr != null && attr.pd() != null && attr.isBase()) {
            SrqInitAttr base = attr.toBase();
            SharedReceiveQueue srq = libraryOps().createSrq(attr.pd(), base);
            attr.attr(base.attr()); // what was given: a provider may have put another object there
            return srq;
        }
        throw Extension.missing(this, ContextSlot.CREATE_SRQ_EX);
    }

    /**
     * Creates a queue pair in state RESET. Where library or provider do not have this verb, {@link
     * ProtectionDomain#createQp(QpInitAttr)} serves for what it can do: the types of level 1, with a protection domain and
     * nothing else in the mask. Since level 2. Source: {@code ibv_create_qp_ex(3)}.
     *
     * @param attr how to make it; {@link QpInitAttrEx#cap()} holds afterwards what was given
     * @return the new queue pair
     * @throws VerbsException {@link Errno#ENOSYS} where the library is older than level 2; {@link Errno#EOPNOTSUPP} where the
     *     provider does not have the verb or the type, and for a bit of the mask that is not known; {@link Errno#EINVAL} for what
     *     is missing or out of range; {@link Errno#ENOMEM} where there are no more
     */
    public final QueuePair createQpEx(QpInitAttrEx attr) {
        CreateQpEx extended = Extension.find(this, ContextSlot.CREATE_QP_EX, CreateQpEx.class);
        if (extended != null) {
            return extended.createQpEx(attr);
        }
        if (attr != null && attr.pd() != null && attr.isBase()) {
            QpInitAttr base = attr.toBase();
            QueuePair qp = libraryOps().createQp(attr.pd(), base);
            attr.cap(base.cap()); // what was given: a provider may have put another object there
            return qp;
        }
        throw Extension.missing(this, ContextSlot.CREATE_QP_EX);
    }

    /**
     * Opens a queue pair of an XRC domain that another process or context has made. The queue pair lives until its last handle
     * is closed. Since level 2. Source: {@code ibv_open_qp(3)}.
     *
     * @param attr which one
     * @return a new handle of that queue pair
     * @throws VerbsException {@link Errno#ENOSYS} where the library is older than level 2; {@link Errno#EOPNOTSUPP} where the
     *     provider does not have the verb, and for a bit of the mask that is not known; {@link Errno#EINVAL} for what is missing
     *     or out of range, and where the domain has no such queue pair; {@link Errno#ENOMEM} where there are no more
     */
    public final QueuePair openQp(QpOpenAttr attr) {
        return Extension.require(this, ContextSlot.OPEN_QP, OpenQp.class).openQp(attr);
    }

    /**
     * Creates an extended completion queue: its completions can tell more than those of level 1, and are read one by one by {@link
     * CompletionQueue#startPoll(PollCqAttr)}. Where library or provider do not have this verb, {@link #createCq(int)} serves for what it
     * can do: {@link WcExFlags#STANDARD}, and no flags; such a queue has no {@code startPoll}. Since level 3. Source: {@code
     * ibv_create_cq_ex(3)}.
     *
     * @param attr how to make it
     * @return the new queue
     * @throws VerbsException {@link Errno#ENOSYS} where the library is older than level 3; {@link Errno#EOPNOTSUPP} where the
     *     provider does not have the verb, or the device not what is wanted of completions; {@link Errno#EINVAL} for what is out of
     *     range; {@link Errno#ENOMEM} where there are no more
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
     * Reads values of the device that change, as its clock. Since level 3. Source: {@code ibv_query_rt_values_ex(3)}.
     *
     * @param wanted {@link ValuesMask} bits
     * @return a new instance; its mask tells what the device has of them, at least one
     * @throws VerbsException {@link Errno#ENOSYS} where the library is older than level 3; {@link Errno#EOPNOTSUPP} where the device has
     *     none of them; {@link Errno#EINVAL} for 0
     */
    public final ValuesEx queryValues(long wanted) {
        ValuesEx values = new ValuesEx();
        Extension.require(this, ContextSlot.QUERY_VALUES, QueryValues.class).queryValues(wanted, values);
        return values;
    }

    /**
     * Asks what the device can do, at length. Where library or provider do not have this verb, {@link #queryDevice()} serves: what
     * it does not tell is not filled. Since level 3. Source: {@code ibv_query_device_ex(3)}.
     *
     * @return a new instance with the answer
     * @throws VerbsException with the device's errno
     */
    public final DeviceAttrEx queryDeviceEx() {
        return queryDeviceEx(new QueryDeviceExInput());
    }

    /**
     * As {@link #queryDeviceEx()}, with attributes.
     *
     * @param input what is asked
     * @return a new instance with the answer
     * @throws VerbsException {@link Errno#EOPNOTSUPP} for a bit of the mask that is not known
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
     * Reads an entry of a port's GID table, with its type. Where library or provider do not have this verb, {@link #queryGid(int, int)}
     * serves: the type is then known of InfiniBand and of IPv4 addresses alone. Since level 3. Source: {@code ibv_query_gid_ex(3)}.
     *
     * @param portNum the port, from 1
     * @param gidIndex the entry, from 0
     * @return a new instance with the entry
     * @throws VerbsException {@link Errno#ENODATA} where the entry is empty; {@link Errno#EINVAL} where there is no such port or
     *     entry
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
     * Reads the GID tables of all ports, without the empty entries. Where library or provider do not have this verb, {@link
     * #queryGidEx(int, int)} serves. Since level 3. Source: {@code ibv_query_gid_table(3)}.
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
     * Makes a thread domain. Since level 3. Source: {@code ibv_alloc_td(3)}.
     *
     * @param attr how
     * @return the new domain
     * @throws VerbsException {@link Errno#ENOSYS} where the library is older than level 3; {@link Errno#EOPNOTSUPP} where the device has
     *     none
     */
    public final ThreadDomain allocTd(TdInitAttr attr) {
        return Extension.require(this, ContextSlot.ALLOC_TD, AllocTd.class).allocTd(attr);
    }

    /**
     * Makes a parent domain. Since level 3. Source: {@code ibv_alloc_parent_domain(3)}.
     *
     * @param attr what of
     * @return the new domain
     * @throws VerbsException {@link Errno#ENOSYS} where the library is older than level 3; {@link Errno#EOPNOTSUPP} where the device has
     *     none; {@link Errno#EINVAL} for a parent domain of a parent domain
     */
    public final ParentDomain allocParentDomain(ParentDomainInitAttr attr) {
        return Extension.require(this, ContextSlot.ALLOC_PARENT_DOMAIN, AllocParentDomain.class)
                .allocParentDomain(attr);
    }

    /**
     * Asks what the device can do with completion counters. Since level 4. Source: {@code ibv_query_comp_cntr_caps(3)}.
     *
     * @return the answer
     * @throws VerbsException {@link Errno#ENOSYS} where the library is older than level 4; {@link Errno#EOPNOTSUPP} where the device has
     *     none
     */
    public final CompCntrCaps queryCompCntrCaps() {
        CompCntrCaps caps = new CompCntrCaps();
        Extension.require(this, ContextSlot.QUERY_COMP_CNTR_CAPS, QueryCompCntrCaps.class)
                .queryCompCntrCaps(caps);
        return caps;
    }

    /**
     * Makes a completion counter at 0. Since level 4. Source: {@code ibv_create_comp_cntr(3)}.
     *
     * @param attr what it counts
     * @return the new counter
     * @throws VerbsException {@link Errno#ENOSYS} where the library is older than level 4; {@link Errno#EOPNOTSUPP} where the device has
     *     none, or none of that type; {@link Errno#ENOMEM} where all are in use
     */
    public final CompletionCounter createCompCntr(CompCntrInitAttr attr) {
        return Extension.require(this, ContextSlot.CREATE_COMP_CNTR, CreateCompCntr.class)
                .createCompCntr(attr);
    }

    /**
     * Allocates memory on the device. Since level 3. Source: {@code ibv_alloc_dm(3)}.
     *
     * @param attr how
     * @return the new memory
     * @throws VerbsException {@link Errno#ENOSYS} where the library is older than level 3; {@link Errno#EOPNOTSUPP} where the device has
     *     none; {@link Errno#EINVAL} for a length or an alignment out of range; {@link Errno#ENOMEM} where there is no more
     */
    public final DeviceMemory allocDm(AllocDmAttr attr) {
        return Extension.require(this, ContextSlot.ALLOC_DM, AllocDm.class).allocDm(attr);
    }

    /**
     * Allocates hints for the device's accesses to memory over PCIe. Since level 4. Source: {@code ibv_alloc_dmah(3)}.
     *
     * @param attr the hints
     * @return a new handle, for {@link RegMrAttrEx#dmah(DmaHandle)}
     * @throws VerbsException {@link Errno#ENOSYS} where the library is older than level 4; {@link Errno#EOPNOTSUPP}
     *     where the device, the kernel or the machine has no such hints; {@link Errno#EINVAL} for hints out of range
     */
    public final DmaHandle allocDmah(DmahInitAttr attr) {
        return Extension.require(this, ContextSlot.ALLOC_DMAH, AllocDmah.class).allocDmah(attr);
    }

    /**
     * Makes an action of IPsec's ESP, which flows have by {@link FlowSpecActionHandle}. Since level 4. Source: {@code
     * ibv_create_flow_action(3)}.
     *
     * @param attr what it does, with parameters and a key
     * @return the new action
     * @throws VerbsException {@link Errno#ENOSYS} where the library is older than level 4; {@link Errno#EOPNOTSUPP}
     *     where the device has no such actions; {@link Errno#EINVAL} without parameters or a key, and for a key of
     *     another length than 16, 24 or 32 bytes
     */
    public final FlowAction createFlowActionEsp(FlowActionEspAttr attr) {
        return Extension.require(this, ContextSlot.CREATE_FLOW_ACTION_ESP, CreateFlowActionEsp.class)
                .createFlowActionEsp(attr);
    }

    /**
     * Makes a work queue, in state RESET: one of several over which a queue pair spreads the packets that it receives. Since
     * level 4. Source: {@code ibv_create_wq(3)}.
     *
     * @param attr how to make it; its capacities hold what was given
     * @return the new queue
     * @throws VerbsException {@link Errno#ENOSYS} where the library is older than level 4; {@link Errno#EOPNOTSUPP} where the
     *     device has no work queues, or not of this type or with these flags; {@link Errno#EINVAL} for what is out of range
     */
    public final WorkQueue createWq(WqInitAttr attr) {
        return Extension.require(this, ContextSlot.CREATE_WQ, CreateWq.class).createWq(attr);
    }

    /**
     * Makes an indirection table of work queues, for {@link QpInitAttrEx#rwqIndTbl(RwqIndTable)}. The work queues can't be closed
     * while they are in it. Since level 4. Source: {@code ibv_create_rwq_ind_table(3)}.
     *
     * @param attr the work queues
     * @return the new table
     * @throws VerbsException {@link Errno#ENOSYS} where the library is older than level 4; {@link Errno#EOPNOTSUPP} where the
     *     device has no such tables; {@link Errno#EINVAL} for other than a power of two of work queues, or more than {@link
     *     DeviceAttrEx#rssMaxRwqIndirectionTableSize()}
     */
    public final RwqIndTable createRwqIndTable(RwqIndTableInitAttr attr) {
        return Extension.require(this, ContextSlot.CREATE_RWQ_IND_TABLE, CreateRwqIndTable.class)
                .createRwqIndTable(attr);
    }

    /**
     * Makes counters of what flows steer. Since level 4. Source: {@code ibv_create_counters(3)}.
     *
     * @param attr how to make them
     * @return new counters, of which none counts yet
     * @throws VerbsException {@link Errno#ENOSYS} where the library is older than level 4; {@link Errno#EOPNOTSUPP} where the
     *     device has none
     */
    public final Counters createCounters(CountersInitAttr attr) {
        return Extension.require(this, ContextSlot.CREATE_COUNTERS, CreateCounters.class)
                .createCounters(attr);
    }

    /**
     * Makes a file descriptor of this context, by which another context shares what is in it: pass it on, for instance over a
     * Unix-domain socket with {@code SCM_RIGHTS}, and open the same device there with {@link OpenAttr#importFd(int)}. Whoever
     * has the descriptor can do what this context can. Since level 4. Source: the {@code cmd_fd} of {@code ibv_import_device(3)}.
     *
     * @return a new descriptor, which is the caller's to close; contexts that are open do not depend on it
     * @throws VerbsException {@link Errno#ENOSYS} where the library is older than level 4; {@link Errno#EOPNOTSUPP} where the device
     *     can't share contexts; {@link Errno#EMFILE} where the process has no descriptor left
     */
    public final ExportedFd exportDevice() {
        return Extension.require(this, ContextSlot.EXPORT_DEVICE, ExportDevice.class)
                .exportDevice();
    }

    /**
     * Imports a protection domain: what is made in it here, and what is made in it by the context that allocated it, may be used
     * together. Closing the returned handle leaves the domain as it is; the context that allocated it frees it, and is to do so last.
     * Since level 4. Source: {@code ibv_import_pd(3)}.
     *
     * @param handle the number of a domain of a context that shares a descriptor with this one: its {@link
     *     ProtectionDomain#exportHandle()}
     * @return a new handle of the domain
     * @throws VerbsException {@link Errno#ENOSYS} where the library is older than level 4; {@link Errno#EOPNOTSUPP} where the device
     *     can't; an errno of the device's, mostly {@link Errno#EINVAL} or {@link Errno#ENOENT}, for the number of no domain
     */
    public final ProtectionDomain importPd(int handle) {
        ProtectionDomain pd =
                Extension.require(this, ContextSlot.IMPORT_PD, ImportPd.class).importPd(handle);
        pd.imported = true;
        return pd;
    }

    /**
     * Imports memory on the device. Closing the returned handle leaves the memory as it is. Since level 4. Source: {@code
     * ibv_import_dm(3)}.
     *
     * @param handle the number of the memory: its {@link DeviceMemory#exportHandle()}
     * @param length its length in bytes, which C does not tell; less, to use its beginning alone
     * @return a new handle of the memory, of that length
     * @throws VerbsException as {@link #importPd(int)}, and {@link Errno#EINVAL} for a length below 1; for one that is too
     *     large at once, or {@link Errno#EFAULT} where bytes are touched that are not there
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
     * @throws VerbsException {@link Errno#EMFILE} or {@link Errno#ENOMEM} where there are no more
     */
    public final CompletionChannel createCompChannel() {
        return libraryOps().createCompChannel();
    }

    /**
     * Creates a completion queue without a completion channel.
     *
     * @param cqe least number of entries, from 1
     * @return the new queue
     * @throws VerbsException as {@link #createCq(int, Object, CompletionChannel, int)}
     */
    public final CompletionQueue createCq(int cqe) {
        return createCq(cqe, null, null, 0);
    }

    /**
     * Creates a completion queue. Source: {@code ibv_create_cq(3)}.
     *
     * @param cqe least number of entries, from 1
     * @param userContext object of the application's that the queue carries along; may be null
     * @param channel channel for its completion events, or null
     * @param compVector completion vector for its events, 0 to {@link #numCompVectors()} minus 1
     * @return the new queue
     * @throws VerbsException {@link Errno#EINVAL} for a number out of range or a channel of another context;
     *     {@link Errno#ENOMEM} where there are no more
     */
    public final CompletionQueue createCq(int cqe, Object userContext, CompletionChannel channel, int compVector) {
        return libraryOps().createCq(cqe, userContext, channel, compVector);
    }

    /**
     * Creates a completion queue with attributes of the vendor's own, as {@link #createCq(int, Object, CompletionChannel, int)}.
     * Source: {@code mlx5dv_create_cq(3)}, {@code efadv_create_cq(3)}.
     *
     * @param cqe least number of entries
     * @param userContext object of the application's that the queue carries along; may be null
     * @param channel channel for its events, or null
     * @param compVector completion vector, from 0
     * @param vendor the attributes, of a type that the provider exports
     * @return the new queue
     * @throws VerbsException {@link Errno#EOPNOTSUPP} where the device's provider does not know the type
     */
    public final CompletionQueue createCq(
            int cqe, Object userContext, CompletionChannel channel, int compVector, Object vendor) {
        return libraryOps().createCq(cqe, userContext, channel, compVector, vendor);
    }

    /**
     * Waits for the next asynchronous event. Nothing waits for its {@link AsyncEvent#ack()}: unlike in C the object that it is
     * about can be closed at any time, and the event stays valid. Source: {@code ibv_get_async_event(3)}.
     *
     * @return the event; null where the wait was ended without one, as a thread that is woken is
     * @throws VerbsException {@link Errno#EINTR} where the thread is interrupted (it stays interrupted);
     *     {@link Errno#EBADF} where the context is closed, before or meanwhile
     */
    public final AsyncEvent getAsyncEvent() {
        return libraryOps().getAsyncEvent(-1);
    }

    /**
     * Waits for the next asynchronous event, but not for ever. The wait may end sooner than its time, when woken.
     *
     * @param timeout how long to wait; 0 looks without waiting
     * @param unit the unit of {@code timeout}
     * @return the event, or null where there was none in that time, or till it was woken
     * @throws VerbsException as {@link #getAsyncEvent()}, and {@link Errno#EINVAL} without a unit
     */
    public final AsyncEvent getAsyncEvent(long timeout, TimeUnit unit) {
        return libraryOps().getAsyncEvent(nanos("get_async_event", timeout, unit));
    }

    /**
     * Has asynchronous events handed to the program from now on, so that none of its threads waits.
     *
     * @param executor where the handler runs; {@code Runnable::run} is the subscription's own thread
     * @param handler takes the event; an exception of it goes where the executor's exceptions go
     * @return the subscription; to be closed, and ended by closing the context
     */
    public final EventSubscription subscribe(Executor executor, Consumer<? super AsyncEvent> handler) {
        return EventSubscription.of(this, this::getAsyncEvent, executor, handler);
    }

    /**
     * The descriptor that is readable as long as there are asynchronous events, for event loops outside Java. It stays the
     * device's: do not read from it or close it, and have the loop forget it before the context is closed.
     *
     * @return the file descriptor, the same at each call; -1 where the device has none, or the process can open no further one
     * @throws VerbsException {@link Errno#EINVAL} after close
     */
    public final int asyncEventDescriptor() {
        return libraryOps().asyncEventDescriptor();
    }

    /**
     * Works out the way back to the sender of a datagram. Source: {@code ibv_init_ah_from_wc(3)}.
     *
     * @param portNum port that received the datagram, from 1
     * @param wc completion of the receive
     * @param grh buffer whose first 40 bytes from its position are those of the receive buffer; it stays as it is
     * @return a new address vector
     * @throws VerbsException {@link Errno#EINVAL} where the port does not have the GID that the datagram was sent to,
     *     without a completion, and without the 40 bytes where the completion tells of them
     */
    public final AhAttr initAhFromWc(int portNum, WorkCompletion wc, ByteBuffer grh) {
        return Grh.pathBack(this, portNum, wc, grh);
    }

    /**
     * Closes the device. Source: {@code ibv_close_device(3)}.
     *
     * @throws VerbsException {@link Errno#EBUSY} while there are objects of the context
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
