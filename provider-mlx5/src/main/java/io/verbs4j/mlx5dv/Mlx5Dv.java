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
import io.verbs4j.rdmacore.call.Libmlx5;
import io.verbs4j.rdmacore.layout.DvClockInfoLayout;
import io.verbs4j.rdmacore.object.IbvQp;
import io.verbs4j.rdmacore.object.NativeAddressHandle;
import io.verbs4j.rdmacore.object.NativeCompletionQueue;
import io.verbs4j.rdmacore.object.NativeProtectionDomain;
import io.verbs4j.rdmacore.object.NativeQueuePair;
import io.verbs4j.rdmacore.object.NativeSharedReceiveQueue;
import io.verbs4j.rdmacore.object.OwnRequests;
import java.util.function.Function;

/**
 * What an open ConnectX has beyond the verbs; from {@link Context#vendor(Class)}. All methods may be called from any thread. Besides what each says they throw {@link
 * VerbsException} with {@link Errno#EINVAL} after the context or the handle is closed and for handles of another context, with {@link
 * Errno#ENOSYS} where the loaded libmlx5 is older than the function (the release of rdma-core that it came with is in the comment), and
 * with what libmlx5 or the kernel answers. Source: mlx5dv(7).
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
     * Whether libmlx5 drives a device. Source: mlx5dv_is_supported(3).
     *
     * @param device a device that the library has listed
     * @return true for a ConnectX or BlueField
     */
    public static boolean isSupported(Device device) {
        return device instanceof NativeDevice known && known.kernel.isMlx5();
    }

    /**
     * The context that these are the direct verbs of.
     *
     * @return the context, as the program has it
     */
    public Context context() {
        return base.context();
    }

    /**
     * Asks what the device has beyond the verbs. Rdma-core 13; each group since its own release. Source: mlx5dv_query_device(3).
     *
     * @param mask the groups that the caller knows and wants: bits of {@link Mlx5ContextMask}. Those that the library or the device
     *     does not answer are absent in the answer
     * @return a new instance with the answer
     */
    public Mlx5DeviceAttr queryDevice(long mask) {
        String verb = "mlx5dv_query_device";
        return base.children().use(verb, () -> {
            try (Scratch c = new Scratch(DvContextLayout.SIZEOF)) {
                // A bit whose members this class has no room for would have libmlx5 write behind the end.
                NativeMemory.putLong(c.address() + DvContextLayout.COMP_MASK, mask & Mlx5DeviceAttr.KNOWN);
                Answers.check(verb, Libmlx5.function(verb, 13).call(base.address(), c.address()));
                return new Mlx5DeviceAttr(c.address());
            }
        });
    }

    // ---- where the rings are

    /**
     * Tells where the rings of a queue pair are. On the data path in Java the provider writes them already, and keeps count by
     * itself: who writes there, too, breaks them. Rdma-core 13. Source: mlx5dv_init_obj(3).
     *
     * @param qp a queue pair with rings
     * @param mask what is wanted besides: bits of {@link Mlx5QpMask}
     * @return a new instance with the answer; its addresses are good until the queue pair is closed
     * @throws VerbsException {@link Errno#EINVAL} for a DC target and for type XRC_RECV, which have none
     */
    public Mlx5QpRings queuePair(QueuePair qp, long mask) {
        String verb = "mlx5dv_init_obj";
        return withQp(verb, qp, known -> {
            if (base.isWithoutRings(qp)) {
                throw new VerbsException(
                        Errno.EINVAL, verb, "a queue pair of this type has no rings; ask about its srq");
            }
            return DvObjects.qp(known.address(), mask & Mlx5QpRings.KNOWN, Mlx5QpRings::new);
        });
    }

    /**
     * Tells where a completion queue is. From then on libmlx5 leaves completions of queue pairs that are destroyed where they are,
     * for who polls by itself; on the data path in Java the provider has asked before, and polls. Rdma-core 13. Source:
     * mlx5dv_init_obj(3).
     *
     * @param cq a completion queue
     * @return the answer; its addresses are good until the queue is closed or resized
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
     * Tells where a shared receive queue is. On the data path in Java the provider posts to it already. Rdma-core 13. Source:
     * mlx5dv_init_obj(3).
     *
     * @param srq a shared receive queue
     * @param mask what is wanted besides: bits of {@link Mlx5SrqMask}
     * @return a new instance with the answer; its addresses are good until the queue is closed
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
     * The address vector of an address handle, as an element of a send queue holds it. Rdma-core 20. Source: mlx5dv_init_obj(3).
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
     * The number of a protection domain. Rdma-core 21. Source: mlx5dv_init_obj(3).
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
     * Has rings and doorbell records of this context lie in memory of an allocator's, from now on. What another one gave before goes
     * back to that one. Rdma-core 15. Source: mlx5dv_set_context_attr(3), {@code MLX5DV_CTX_ATTR_BUF_ALLOCATORS}.
     *
     * @param allocator gives the memory
     * @throws VerbsException {@link Errno#EINVAL} for null: libmlx5 does not go back to memory of its own
     */
    public void bufferAllocator(BufferAllocator allocator) {
        String verb = "mlx5dv_set_context_attr";
        if (allocator == null) {
            throw new VerbsException(
                    Errno.EINVAL, verb, "allocator is null; once there is one, there can only be another");
        }
        base.children().use(verb, () -> {
            base.ringMemory().from(base.address(), allocator, allocator::allocate, allocator::free);
            return null;
        });
    }

    /**
     * The allocator of this context's rings.
     *
     * @return what was set last; null while libmlx5 takes its own
     */
    public BufferAllocator bufferAllocator() {
        return (BufferAllocator) base.ringMemory().owner();
    }

    /**
     * What turns the device's time stamps into nanoseconds, at this moment. Rdma-core 17. Source: mlx5dv_get_clock_info(3).
     *
     * @return the answer
     * @throws VerbsException {@link Errno#EINVAL} where the device's clock can't be read; {@link Errno#EBUSY} where the kernel was
     *     setting it just now, again and again
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
     * Creates a completion queue as {@link Context#createCq(int, Object, CompletionChannel, int)} does, with more attributes: the
     * same as {@link Context#createCq(int, Object, CompletionChannel, int, Object)}.
     * Rdma-core 14. Source: mlx5dv_create_cq(3).
     *
     * @param cqe least number of entries, from 1
     * @param userContext object of the application's that the queue carries along; may be null
     * @param channel channel for its completion events, or null
     * @param compVector completion vector for its events
     * @param attr what it has beyond the verbs
     * @return the new queue, closed as any other
     * @throws VerbsException {@link Errno#EOPNOTSUPP} for a bit of the mask that is not known, and for compressed completions on the
     *     data path in Java; {@link Errno#EINVAL} for what the device can't do
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
     * Creates a queue pair as {@link Context#createQpEx(QpInitAttrEx)} does, with more attributes: among others the two ends of DC,
     * whose type is {@link io.verbs4j.QpType#DRIVER}. Those have both a sendCq and a recvCq, although each end uses one only. The same
     * as {@code context.createQpEx(attr.vendor(dv))}. Rdma-core 16, DC 17. Source: mlx5dv_create_qp(3).
     *
     * <p>{@link QueuePair#modify(io.verbs4j.QpAttr)} takes a DC target from RESET to INIT (PKEY_INDEX, PORT, ACCESS_FLAGS) and RTR
     * (MIN_RNR_TIMER, AV, PATH_MTU), where the device tells its {@link QueuePair#qpNum()}, 0 until then. An initiator goes to INIT
     * (PKEY_INDEX, PORT), RTR (PATH_MTU) and RTS (TIMEOUT, RETRY_CNT, RNR_RETRY, MAX_QP_RD_ATOMIC, SQ_PSN).
     *
     * @param attr how to make it; {@link QpInitAttrEx#vendor()} is {@code dv} afterwards, {@link QpInitAttrEx#cap()} what was given
     * @param dv what it has beyond the verbs
     * @return the new queue pair, closed as any other
     * @throws VerbsException {@link Errno#EOPNOTSUPP} for a bit of the masks that is not known; {@link Errno#EINVAL} for what is
     *     missing, does not go together, or the device can't do
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
     * Resets a stream of a DC initiator after an error. Rdma-core 37. Source: mlx5dv_dci_stream_id_reset(3).
     *
     * @param qp an initiator with streams, in state RTS
     * @param streamId the stream, from 0
     * @throws VerbsException {@link Errno#EOPNOTSUPP} where the device has no streams
     */
    public void resetDciStream(QueuePair qp, int streamId) {
        String verb = "mlx5dv_dci_stream_id_reset";
        int id = Answers.narrow(verb, "streamId", streamId, 0xffff);
        callQp(verb, 37, qp, id);
    }

    // ---- paths

    /**
     * Tells through which bonded port a queue pair sends. Rdma-core 30. Source: mlx5dv_query_qp_lag_port(3).
     *
     * @param qp a queue pair of RC, UC, UD, or a DC initiator
     * @return the ports
     * @throws VerbsException {@link Errno#EOPNOTSUPP} where no ports are bonded, or the type has no choice
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
     * Has a queue pair send through one of the bonded ports. Rdma-core 30. Source: mlx5dv_modify_qp_lag_port(3).
     *
     * @param qp a queue pair of RC, UC, UD, or a DC initiator, in state RTS
     * @param portNum the port, from 1
     * @throws VerbsException {@link Errno#EOPNOTSUPP} where no ports are bonded, or the type or state does not allow it
     */
    public void modifyLagPort(QueuePair qp, int portNum) {
        String verb = "mlx5dv_modify_qp_lag_port";
        if (portNum < 1 || portNum > 255) {
            throw new VerbsException(Errno.EINVAL, verb, "portNum is " + portNum + "; ports count from 1");
        }
        callQp(verb, 30, qp, portNum);
    }

    /**
     * Sets the source port of a queue pair's RoCEv2 packets, by which switches spread them. Rdma-core 33. Source:
     * mlx5dv_modify_qp_udp_sport(3).
     *
     * @param qp a queue pair of RC or UC, in state RTS
     * @param udpSport the port, 0 to 0xffff
     * @throws VerbsException {@link Errno#EOPNOTSUPP} where the device, the type or the state does not allow it
     */
    public void modifyUdpSport(QueuePair qp, int udpSport) {
        String verb = "mlx5dv_modify_qp_udp_sport";
        callQp(verb, 33, qp, Answers.narrow(verb, "udpSport", udpSport, 0xffff));
    }

    /**
     * Tells the device that datagrams to an address go to a queue pair's peer. Rdma-core 36. Source: mlx5dv_map_ah_to_qp(3).
     *
     * @param ah an address handle with a global route
     * @param qpNum number of a queue pair of this device
     * @throws VerbsException {@link Errno#EOPNOTSUPP} where the device has no such maps
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
     * Says where a DCI's request goes: {@link SendBuilder#vendorAddr} by its name. A DCI that libmlx5 posts to has no builder that knows it:
     * {@link Errno#EOPNOTSUPP} from {@link SendBuilder#complete}. Source: mlx5dv_wr_set_dc_addr(3).
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

    // ---- keys and requests of mlx5's own

    /**
     * Creates a memory key over pieces of other keys' memory. Rdma-core 24; flags since their own releases. Source:
     * mlx5dv_create_mkey(3).
     *
     * @param pd where it belongs
     * @param createFlags bits of {@link Mlx5MkeyFlags}
     * @param maxEntries most pieces that it can have
     * @return the key; to be closed before the protection domain
     * @throws VerbsException {@link Errno#EOPNOTSUPP} for flags that are not known, and for signatures on the data
     *     path in Java; with what the device says
     */
    public Mlx5Mkey createMkey(ProtectionDomain pd, int createFlags, int maxEntries) {
        return Mlx5Mkey.create(base, pd, createFlags, maxEntries);
    }

    /**
     * Posts a request that the verbs do not have. It goes behind what was posted before. Source: mlx5dv_wr_post(3).
     *
     * @param qp a queue pair of this context that was made for it, {@link Mlx5QpInitAttr#sendOpsFlags(long)}
     * @param request the request
     * @return 0, or an errno and nothing was posted: {@link Errno#EOPNOTSUPP} where the queue pair was not made for
     *     it; {@link Errno#ENOMEM} where the queue is full; {@link Errno#EINVAL} for a queue pair that can't send now
     *     or is another context's, for a key that is closed, and for what does not fit
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

    @SuppressWarnings("unchecked") // the provider makes them for requests of this package alone
    private static DvQp<Mlx5SendRequest> ownOf(NativeQueuePair qp) {
        return qp.ibv instanceof DvQp<?> own ? (DvQp<Mlx5SendRequest>) own : null;
    }

    // ---- pages

    /**
     * Allocates a page of doorbell registers. Rdma-core 21. Source: mlx5dv_devx_alloc_uar(3).
     *
     * @param type a {@link UarType} value
     * @return the page; to be closed before the context
     * @throws VerbsException {@link Errno#EOPNOTSUPP} where library or kernel do not have the type; {@link Errno#ENOMEM} where there
     *     are no more
     */
    public Uar allocUar(long type) {
        return Uar.alloc(base, type);
    }

    /**
     * Allocates a page of doorbells for the emulation of virtio devices, and maps it. Rdma-core 28. Source: mlx5dv_alloc_var(3).
     *
     * @param flags bits of {@link VarFlags}, or 0
     * @return the page; to be closed before the context
     * @throws VerbsException {@link Errno#EOPNOTSUPP} where library or device do not have it; {@link Errno#ENOMEM} where there are
     *     no more
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
