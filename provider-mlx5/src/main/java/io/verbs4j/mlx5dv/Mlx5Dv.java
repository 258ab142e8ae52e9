/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.AddressHandle;
import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.Errno;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QueuePair;
import io.verbs4j.SendBuilder;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.provider.mlx5.dv.DvContext;
import io.verbs4j.provider.mlx5.dv.DvObjects;
import io.verbs4j.provider.mlx5.dv.DvQp;
import io.verbs4j.provider.mlx5.layout.DvContextLayout;
import io.verbs4j.provider.mlx5.ring.SendQueue;
import io.verbs4j.rdmacore.NativeDevice;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.VendorVerbs;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.object.IbvQp;
import io.verbs4j.rdmacore.object.NativeAddressHandle;
import io.verbs4j.rdmacore.object.NativeCompletionQueue;
import io.verbs4j.rdmacore.object.NativeProtectionDomain;
import io.verbs4j.rdmacore.object.NativeQueuePair;
import io.verbs4j.rdmacore.object.NativeSharedReceiveQueue;
import io.verbs4j.rdmacore.object.OwnRequests;
import io.verbs4j.rdmacore.quirk.Driver;
import io.verbs4j.rdmacore.quirk.Libmlx5;
import io.verbs4j.rdmacore.quirk.layout.DvClockInfoLayout;
import java.util.function.Function;

/**
 * The direct verbs of an open ConnectX: features beyond the verbs. Obtain an instance from
 * {@link Context#vendor(Class)}. All methods may be called from any thread.
 *
 * <p>In addition to their documented exceptions, methods throw {@link VerbsException} with {@link Errno#EINVAL} after
 * the context or the handle is closed and for handles of another context; with {@link Errno#ENOSYS} if the loaded
 * libmlx5 is older than the function, whose comment names the release of rdma-core that introduced it; and with the
 * errno of libmlx5 or the kernel. Source: mlx5dv(7).
 */
public final class Mlx5Dv {
    private static final int AV_SIZE = 48;
    private static final Function<DvQp<Mlx5SendRequest>, OwnRequests<Mlx5SendRequest>> SENDS = DvSends::new;

    static {
        VendorVerbs.constructor(
                Mlx5Dv.class,
                new Function<>() { // not a lambda: that would load the provider's class at once
                    @Override
                    public Mlx5Dv apply(VendorContext base) {
                        return new Mlx5Dv((DvContext) base);
                    }
                });
    }

    private final DvContext base;

    Mlx5Dv(DvContext base) {
        this.base = base;
    }

    /**
     * Returns whether libmlx5 drives a device. Source: mlx5dv_is_supported(3).
     *
     * @param device a device that the library listed
     * @return true for a ConnectX or BlueField
     */
    public static boolean isSupported(Device device) {
        return device instanceof NativeDevice known && known.kernel.driver() == Driver.MLX5;
    }

    /** {@return the context whose direct verbs these are, as the program opened it} */
    public Context context() {
        return base.context();
    }

    /**
     * Queries device attributes beyond the verbs. Since rdma-core 13; each group since its own release. Source:
     * mlx5dv_query_device(3).
     *
     * @param mask the groups to query: bits of {@link Mlx5ContextMask}. Groups that the library or the device does not
     *     fill in are absent from the result
     * @return a new instance with the attributes
     */
    public Mlx5DeviceAttr queryDevice(long mask) {
        String verb = "mlx5dv_query_device";
        return base.children().use(verb, () -> {
            try (Scratch c = new Scratch(DvContextLayout.SIZEOF)) {
                // For a bit whose members this class has no room for, libmlx5 would write past the end.
                NativeMemory.putLong(c.address() + DvContextLayout.COMP_MASK, mask & Mlx5DeviceAttr.KNOWN);
                Answers.check(verb, Libmlx5.function(verb, 13).call(base.address(), c.address()));
                return new Mlx5DeviceAttr(c.address());
            }
        });
    }

    // ---- ring memory

    /**
     * Returns the memory of a queue pair's rings. On the Java data path, do not write to them: the provider writes them
     * itself and keeps its own counts. Since rdma-core 13. Source: mlx5dv_init_obj(3).
     *
     * @param qp a queue pair with rings
     * @param mask additional attributes to query: bits of {@link Mlx5QpMask}
     * @return a new instance whose addresses are valid until the queue pair is closed
     * @throws VerbsException {@link Errno#EINVAL} for a DC target and for type XRC_RECV, which have no rings
     */
    public Mlx5QpRings queuePair(QueuePair qp, long mask) {
        String verb = "mlx5dv_init_obj";
        return withQp(verb, qp, known -> {
            if (base.isWithoutRings(qp)) {
                throw new VerbsException(
                        Errno.EINVAL, verb, "a queue pair of this type has no rings; query its srq instead");
            }
            return DvObjects.qp(known.address(), mask & Mlx5QpRings.KNOWN, Mlx5QpRings::new);
        });
    }

    /**
     * Returns the memory of a completion queue. From then on, libmlx5 leaves the completions of destroyed queue pairs
     * in the queue, for programs that poll it themselves; on the Java data path the provider has already made this
     * call, and polls. Since rdma-core 13. Source: mlx5dv_init_obj(3).
     *
     * @param cq a completion queue
     * @return a new instance whose addresses are valid until the queue is closed or resized
     */
    public Mlx5CqRing completionQueue(CompletionQueue cq) {
        return base.use(
                "mlx5dv_init_obj",
                "cq",
                cq,
                NativeCompletionQueue.class,
                h -> h.ibv,
                known -> new Mlx5CqRing(DvObjects.cq(known.address())));
    }

    /**
     * Returns the memory of a shared receive queue. On the Java data path, the provider already posts to it. Since
     * rdma-core 13. Source: mlx5dv_init_obj(3).
     *
     * @param srq a shared receive queue
     * @param mask additional attributes to query: bits of {@link Mlx5SrqMask}
     * @return a new instance whose addresses are valid until the queue is closed
     */
    public Mlx5SrqRing sharedReceiveQueue(SharedReceiveQueue srq, long mask) {
        return base.use(
                "mlx5dv_init_obj",
                "srq",
                srq,
                NativeSharedReceiveQueue.class,
                h -> h.ibv,
                known -> DvObjects.srq(known.address(), mask & Mlx5SrqMask.SRQN, Mlx5SrqRing::new));
    }

    /**
     * Returns the address vector of an address handle, as an element of a send queue contains it. Since rdma-core 20.
     * Source: mlx5dv_init_obj(3).
     *
     * @param ah an address handle
     * @return a copy of its 48 bytes, without key and number
     */
    public byte[] addressVector(AddressHandle ah) {
        return base.use("mlx5dv_init_obj", "ah", ah, NativeAddressHandle.class, h -> h.ibv, known -> {
            byte[] copy = new byte[AV_SIZE];
            NativeMemory.getBytes(DvObjects.av(known.address()), copy);
            return copy;
        });
    }

    /**
     * Returns the number of a protection domain. Since rdma-core 21. Source: mlx5dv_init_obj(3).
     *
     * @param pd a protection domain
     * @return the number, 24 bits
     */
    public int pdNumber(ProtectionDomain pd) {
        return base.use(
                "mlx5dv_init_obj",
                "pd",
                pd == null ? null : pd.base(),
                NativeProtectionDomain.class,
                h -> h.ibv,
                known -> DvObjects.pdn(known.address()));
    }

    // ---- memory and time

    /**
     * Sets the allocator for rings and doorbell records that this context creates from now on. Memory from a previous
     * allocator is returned to that one. Since rdma-core 15. Source: mlx5dv_set_context_attr(3),
     * {@code MLX5DV_CTX_ATTR_BUF_ALLOCATORS}.
     *
     * @param allocator allocates the memory
     * @throws VerbsException {@link Errno#EINVAL} for null: libmlx5 cannot return to its own allocator
     */
    public void bufferAllocator(BufferAllocator allocator) {
        String verb = "mlx5dv_set_context_attr";
        if (allocator == null) {
            throw new VerbsException(
                    Errno.EINVAL, verb, "allocator is null; once set, an allocator can only be replaced by another");
        }
        base.children().use(verb, () -> {
            base.ringMemory().from(base.address(), allocator, allocator::allocate, allocator::free);
            return null;
        });
    }

    /** {@return the allocator that was set last; null while libmlx5 uses its own} */
    public BufferAllocator bufferAllocator() {
        return (BufferAllocator) base.ringMemory().owner();
    }

    /**
     * Queries the values that convert the device's time stamps to nanoseconds, as of now. Since rdma-core 17. Source:
     * mlx5dv_get_clock_info(3).
     *
     * @return the values
     * @throws VerbsException {@link Errno#EINVAL} if the device's clock cannot be read; {@link Errno#EBUSY} if the
     *     kernel was updating it at every attempt
     */
    public ClockInfo clockInfo() {
        String verb = "mlx5dv_get_clock_info";
        return base.children().use(verb, () -> {
            try (Scratch c = new Scratch(DvClockInfoLayout.SIZEOF)) {
                long at = c.address();
                Answers.check(verb, Libmlx5.function(verb, 17).call(base.address(), at));
                return new ClockInfo(
                        NativeMemory.getLong(at + DvClockInfoLayout.NSEC),
                        NativeMemory.getLong(at + DvClockInfoLayout.LAST_CYCLES),
                        NativeMemory.getLong(at + DvClockInfoLayout.FRAC),
                        NativeMemory.getInt(at + DvClockInfoLayout.MULT),
                        NativeMemory.getInt(at + DvClockInfoLayout.SHIFT),
                        NativeMemory.getLong(at + DvClockInfoLayout.MASK));
            }
        });
    }

    // ---- queues with more attributes

    /**
     * Creates a completion queue with attributes beyond the verbs. Otherwise like {@link Context#createCq(int, Object,
     * CompletionChannel, int)}; the same as {@link Context#createCq(int, Object, CompletionChannel, int, Object)}.
     * Since rdma-core 14. Source: mlx5dv_create_cq(3).
     *
     * @param cqe minimum number of entries, at least 1
     * @param userContext application object that the queue carries; may be null
     * @param channel channel for its completion events, or null
     * @param compVector completion vector for its events
     * @param attr the attributes beyond the verbs
     * @return the new queue, to be closed like any other
     * @throws VerbsException {@link Errno#EOPNOTSUPP} for an unknown bit of the mask, and for compressed completions on
     *     the Java data path; {@link Errno#EINVAL} for what the device does not support
     */
    public CompletionQueue createCq(
            int cqe, Object userContext, CompletionChannel channel, int compVector, Mlx5CqInitAttr attr) {
        if (attr == null) {
            throw new VerbsException(
                    Errno.EINVAL, "mlx5dv_create_cq", "attr is null; pass attributes, or use createCq of the context");
        }
        return base.context().createCq(cqe, userContext, channel, compVector, attr);
    }

    /**
     * Creates a queue pair with attributes beyond the verbs, among others the two ends of DC, whose type is
     * {@link io.verbs4j.QpType#DRIVER}. Otherwise like {@link Context#createQpEx(QpInitAttrEx)}; the same as
     * {@code context.createQpEx(attr.vendor(dv))}. The ends of DC need both a sendCq and a recvCq, although each uses
     * only one. Since rdma-core 16, DC since 17. Source: mlx5dv_create_qp(3).
     *
     * <p>{@link QueuePair#modify(io.verbs4j.QpAttr)} moves a DC target from RESET to INIT (PKEY_INDEX, PORT,
     * ACCESS_FLAGS) and RTR (MIN_RNR_TIMER, AV, PATH_MTU); in RTR the device assigns its {@link QueuePair#qpNum()},
     * which is 0 until then. An initiator moves to INIT (PKEY_INDEX, PORT), RTR (PATH_MTU) and RTS (TIMEOUT, RETRY_CNT,
     * RNR_RETRY, MAX_QP_RD_ATOMIC, SQ_PSN).
     *
     * @param attr the attributes of the verbs; afterwards {@link QpInitAttrEx#vendor()} is {@code dv} and
     *     {@link QpInitAttrEx#cap()} the granted capabilities
     * @param dv the attributes beyond the verbs
     * @return the new queue pair, to be closed like any other
     * @throws VerbsException {@link Errno#EOPNOTSUPP} for an unknown bit of the masks; {@link Errno#EINVAL} for
     *     attributes that are missing, do not go together, or that the device does not support
     */
    public QueuePair createQp(QpInitAttrEx attr, Mlx5QpInitAttr dv) {
        if (attr == null || dv == null) {
            throw new VerbsException(
                    Errno.EINVAL,
                    "mlx5dv_create_qp",
                    (attr == null ? "attr" : "dv") + " is null; pass attributes, or use createQpEx");
        }
        return base.context().createQpEx(attr.vendor(dv));
    }

    /**
     * Resets a stream of a DC initiator after an error. Since rdma-core 37. Source: mlx5dv_dci_stream_id_reset(3).
     *
     * @param qp an initiator with streams, in state RTS
     * @param streamId the stream, from 0
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if the device does not support streams
     */
    public void resetDciStream(QueuePair qp, int streamId) {
        String verb = "mlx5dv_dci_stream_id_reset";
        int id = Answers.narrow(verb, "streamId", streamId, 0xffff);
        callQp(verb, 37, qp, id);
    }

    // ---- paths

    /**
     * Returns the bonded ports that a queue pair sends through. Since rdma-core 30. Source:
     * mlx5dv_query_qp_lag_port(3).
     *
     * @param qp a queue pair of type RC, UC or UD, or a DC initiator
     * @return the ports
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if no ports are bonded, or the type does not allow a choice
     */
    public LagPort queryLagPort(QueuePair qp) {
        String verb = "mlx5dv_query_qp_lag_port";
        return withQp(verb, qp, known -> {
            try (Scratch c = new Scratch(2)) {
                Answers.check(verb, Libmlx5.function(verb, 30).call(known.address(), c.address(), c.address() + 1));
                return new LagPort(NativeMemory.getByte(c.address()), NativeMemory.getByte(c.address() + 1));
            }
        });
    }

    /**
     * Sets the bonded port that a queue pair sends through. Since rdma-core 30. Source: mlx5dv_modify_qp_lag_port(3).
     *
     * @param qp a queue pair of type RC, UC or UD, or a DC initiator, in state RTS
     * @param portNum the port, from 1
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if no ports are bonded, or the type or the state does not allow
     *     it
     */
    public void modifyLagPort(QueuePair qp, int portNum) {
        String verb = "mlx5dv_modify_qp_lag_port";
        if (portNum < 1 || portNum > 255) {
            throw new VerbsException(Errno.EINVAL, verb, "portNum is " + portNum + "; it must be 1 to 255");
        }
        callQp(verb, 30, qp, portNum);
    }

    /**
     * Sets the UDP source port of a queue pair's RoCEv2 packets, by which switches spread them over paths. Since
     * rdma-core 33. Source: mlx5dv_modify_qp_udp_sport(3).
     *
     * @param qp a queue pair of type RC or UC, in state RTS
     * @param udpSport the port, 0 to 0xffff
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if the device, the type or the state does not allow it
     */
    public void modifyUdpSport(QueuePair qp, int udpSport) {
        String verb = "mlx5dv_modify_qp_udp_sport";
        callQp(verb, 33, qp, Answers.narrow(verb, "udpSport", udpSport, 0xffff));
    }

    /**
     * Informs the device that datagrams to an address go to the peer of a queue pair. Since rdma-core 36. Source:
     * mlx5dv_map_ah_to_qp(3).
     *
     * @param ah an address handle with a global route
     * @param qpNum number of a queue pair of this device
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if the device does not support such mappings
     */
    public void mapAhToQp(AddressHandle ah, int qpNum) {
        String verb = "mlx5dv_map_ah_to_qp";
        int number = Answers.narrow(verb, "qpNum", qpNum, 0xffffff);
        base.use(verb, "ah", ah, NativeAddressHandle.class, h -> h.ibv, known -> {
            Answers.check(verb, Libmlx5.function(verb, 36).call(known.address(), number));
            return null;
        });
    }

    /**
     * Sets the destination of a DCI's request: {@link SendBuilder#vendorAddr} under its mlx5dv name. If libmlx5 posts
     * for the DCI, its builder does not support this, and {@link SendBuilder#complete} returns
     * {@link Errno#EOPNOTSUPP}. Source: mlx5dv_wr_set_dc_addr(3).
     *
     * @param builder builder of a DCI, with a request begun
     * @param ah address handle of the DCI's protection domain
     * @param remoteDctn number of the remote DCT, 24 bits
     * @param dcAccessKey its access key
     * @return the builder
     */
    public static SendBuilder dcAddr(SendBuilder builder, AddressHandle ah, int remoteDctn, long dcAccessKey) {
        return builder.vendorAddr(ah, remoteDctn, dcAccessKey);
    }

    // ---- keys and mlx5-specific requests

    /**
     * Creates a memory key over pieces of other keys' memory. Since rdma-core 24; flags since their own releases.
     * Source: mlx5dv_create_mkey(3).
     *
     * @param pd the protection domain
     * @param createFlags bits of {@link Mlx5MkeyFlags}
     * @param maxEntries maximum number of pieces
     * @return the key, to be closed before the protection domain
     * @throws VerbsException {@link Errno#EOPNOTSUPP} for unknown flags, and for signatures on the Java data path;
     *     otherwise the device's errno
     */
    public Mlx5Mkey createMkey(ProtectionDomain pd, int createFlags, int maxEntries) {
        return Mlx5Mkey.create(base, pd, createFlags, maxEntries);
    }

    /**
     * Posts an mlx5-specific request, after those that were posted before. Source: mlx5dv_wr_post(3).
     *
     * @param qp a queue pair of this context that was created for the operation,
     *     {@link Mlx5QpInitAttr#sendOpsFlags(long)}
     * @param request the request
     * @return 0; or an errno, and nothing was posted: {@link Errno#EOPNOTSUPP} if the queue pair was not created for
     *     the operation; {@link Errno#ENOMEM} if the queue is full; {@link Errno#EINVAL} for a queue pair that cannot
     *     send now or belongs to another context, for a closed key, and for a request that does not fit
     */
    public int postSend(QueuePair qp, Mlx5SendRequest request) {
        if (request == null || qp == null || qp.context() != base.context()) {
            return Errno.EINVAL;
        }
        NativeQueuePair known = (NativeQueuePair) qp;
        DvQp<Mlx5SendRequest> own = ownOf(known);
        if (own != null) {
            return own.post(request, SENDS);
        }
        SendQueue queue = base.sendsOf(known);
        return queue == null ? Errno.EOPNOTSUPP : DvRing.post(queue, base.sendOpsOf(known), request);
    }

    @SuppressWarnings("unchecked") // the provider creates them only for requests of this package
    private static DvQp<Mlx5SendRequest> ownOf(NativeQueuePair qp) {
        return qp.ibv instanceof DvQp<?> own ? (DvQp<Mlx5SendRequest>) own : null;
    }

    // ---- pages

    /**
     * Allocates a page of doorbell registers. Since rdma-core 21. Source: mlx5dv_devx_alloc_uar(3).
     *
     * @param type a {@link UarType} value
     * @return the page, to be closed before the context
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if the library or the kernel does not support the type;
     *     {@link Errno#ENOMEM} if no pages are left
     */
    public Uar allocUar(long type) {
        return Uar.alloc(base, type);
    }

    /**
     * Allocates a page of doorbells for the emulation of virtio devices, and maps it. Since rdma-core 28. Source:
     * mlx5dv_alloc_var(3).
     *
     * @param flags bits of {@link VarFlags}, or 0
     * @return the page, to be closed before the context
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if the library or the device does not support it;
     *     {@link Errno#ENOMEM} if no pages are left
     */
    public Var allocVar(int flags) {
        return Var.alloc(base, flags);
    }

    private <T> T withQp(String verb, QueuePair qp, Function<IbvQp, T> body) {
        return base.use(verb, "qp", qp, NativeQueuePair.class, h -> h.ibv, body);
    }

    private void callQp(String verb, int since, QueuePair qp, int argument) {
        withQp(verb, qp, known -> {
            Answers.check(verb, Libmlx5.function(verb, since).call(known.address(), argument));
            return null;
        });
    }
}
