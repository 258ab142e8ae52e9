/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.efadv;

import io.verbs4j.AddressHandle;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.MemoryRegion;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.provider.efa.dv.DvContext;
import io.verbs4j.provider.efa.dv.Libefa;
import io.verbs4j.provider.efa.dv.RingQueries;
import io.verbs4j.provider.efa.layout.EfaCqExLayout;
import io.verbs4j.provider.efa.layout.EfaDeviceAttrLayout;
import io.verbs4j.provider.efa.layout.EfaMrAttrLayout;
import io.verbs4j.provider.efa.layout.EfaRqDepthAttrLayout;
import io.verbs4j.provider.efa.layout.EfaSqDepthAttrLayout;
import io.verbs4j.provider.efa.ring.EfaReader;
import io.verbs4j.provider.efa.ring.EfaRingCompletionQueue;
import io.verbs4j.rdmacore.NativeDevice;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.VendorVerbs;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.object.IbvCqEx;
import io.verbs4j.rdmacore.object.NativeAddressHandle;
import io.verbs4j.rdmacore.object.NativeCompletionQueue;
import io.verbs4j.rdmacore.object.NativeMemoryRegion;
import io.verbs4j.rdmacore.object.NativeQueuePair;
import io.verbs4j.rdmacore.quirk.Driver;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

/**
 * The direct verbs of an open EFA, from {@link Context#vendor(Class)}.
 *
 * <p>EFA's own queue pairs and completion queues are created by the ordinary verbs, with {@link EfaQpInitAttr} and
 * {@link EfaCqInitAttr} as {@code vendor}. All methods may be called from any thread, except those that read a
 * completion: only the thread that reads the queue may call these.
 *
 * <p>In addition to what each method documents, methods throw {@link VerbsException} with {@link Errno#EINVAL} after
 * the context or the handle is closed and for handles of another context, with {@link Errno#ENOSYS} if the loaded
 * libefa is too old for the function, and with any error that libefa or the kernel reports. Source: {@code efadv(7)}.
 */
public final class EfaDv {
    static {
        VendorVerbs.constructor(
                EfaDv.class,
                new Function<>() { // not a lambda, which would load the provider's class immediately
                    @Override
                    public EfaDv apply(VendorContext base) {
                        return new EfaDv((DvContext) base);
                    }
                });
    }

    private final DvContext base;

    EfaDv(DvContext base) {
        this.base = base;
    }

    /**
     * Returns whether libefa drives a device.
     *
     * @param device a device from the library's list
     * @return true for an EFA
     */
    public static boolean isSupported(Device device) {
        return device instanceof NativeDevice known && known.kernel.driver() == Driver.EFA;
    }

    /**
     * Returns the context that these direct verbs belong to.
     *
     * @return the context, as the program opened it
     */
    public Context context() {
        return base.context();
    }

    private <T> T open(String verb, Supplier<T> body) {
        return base.children().use(verb, body);
    }

    /**
     * Queries the device's limits and capabilities. Requires rdma-core 26. Source: {@code efadv_query_device(3)}.
     *
     * @return a new instance
     */
    public EfaDeviceAttr queryDevice() {
        String verb = "efadv_query_device";
        return open(verb, () -> {
            try (Scratch c = new Scratch(EfaDeviceAttrLayout.SIZEOF)) {
                long at = c.address();
                NativeFunction function = Libefa.function(verb, 26);
                Answers.check(verb, function.call(base.address(), at, EfaDeviceAttrLayout.SIZEOF));
                return new EfaDeviceAttr(at);
            }
        });
    }

    /**
     * Queries the number by which completions and work requests name an address handle. Handles of one protection
     * domain with the same GID share a number. Requires rdma-core 26. Source: {@code efadv_query_ah(3)}.
     *
     * @param ah an address handle
     * @return the number, 0 to 65535
     */
    public int queryAh(AddressHandle ah) {
        String verb = "efadv_query_ah";
        return base.use(
                verb,
                "ah",
                ah,
                NativeAddressHandle.class,
                handle -> handle.ibv,
                known -> RingQueries.number(known.address()));
    }

    /**
     * Queries the interconnects that a memory region is reached through. Requires rdma-core 50. Source:
     * {@code efadv_query_mr(3)}.
     *
     * @param mr a memory region
     * @return a new instance
     */
    public EfaMrAttr queryMr(MemoryRegion mr) {
        String verb = "efadv_query_mr";
        return base.use(verb, "mr", mr, NativeMemoryRegion.class, handle -> handle.ibv, known -> {
            try (Scratch c = new Scratch(EfaMrAttrLayout.SIZEOF)) {
                long at = c.address();
                NativeFunction function = Libefa.function(verb, 50);
                Answers.check(verb, function.call(known.address(), at, EfaMrAttrLayout.SIZEOF));
                return new EfaMrAttr(at);
            }
        });
    }

    // ---- memory layout of queues

    /**
     * Queries the memory layout of a queue pair's send queue. Requires rdma-core 59. Source:
     * {@code efadv_query_qp_wqs(3)}.
     *
     * @param qp a queue pair
     * @return the layout; its addresses are valid until the queue pair is closed
     */
    public EfaWorkQueue querySendQueue(QueuePair qp) {
        return workQueue(qp, true);
    }

    /**
     * Queries the memory layout of a queue pair's receive queue, where each element of a receive takes one entry.
     * Requires rdma-core 59. Source: {@code efadv_query_qp_wqs(3)}.
     *
     * @param qp a queue pair
     * @return the layout; its addresses are valid until the queue pair is closed
     */
    public EfaWorkQueue queryReceiveQueue(QueuePair qp) {
        return workQueue(qp, false);
    }

    private EfaWorkQueue workQueue(QueuePair qp, boolean sends) {
        String verb = "efadv_query_qp_wqs";
        return base.use(
                verb,
                "qp",
                qp,
                NativeQueuePair.class,
                handle -> handle.ibv,
                known -> new EfaWorkQueue(RingQueries.workQueue(known.address(), sends)));
    }

    /**
     * Queries the memory layout of a completion queue. Requires rdma-core 59. Source: {@code efadv_query_cq(3)}.
     *
     * @param cq a completion queue
     * @return the layout; its addresses are valid until the queue is closed
     */
    public EfaCompletionQueue queryCq(CompletionQueue cq) {
        String verb = "efadv_query_cq";
        return base.use(
                verb,
                "cq",
                cq,
                NativeCompletionQueue.class,
                handle -> handle.ibv,
                known -> new EfaCompletionQueue(RingQueries.completionQueue(known.address())));
    }

    // ---- additions to requests and counters

    /**
     * Sets processing hints for all requests posted from now on. Requires rdma-core 64. Source:
     * {@code efadv_wr_set_processing_hints} in {@code efadv_create_qp_ex(3)}.
     *
     * @param qp a queue pair that was created with {@link EfaWrFlags#PROCESSING_HINTS}
     * @param hints {@link EfaProcessingHints} bits; 0 for none
     */
    public void processingHints(QueuePair qp, int hints) {
        String verb = "efadv_wr_set_processing_hints";
        Answers.requireKnown(
                verb,
                "hints",
                hints,
                EfaProcessingHints.BURST_PPS_SENSITIVE,
                bits -> bits == 0 ? "0" : "0x" + Integer.toHexString(bits));
        base.use(verb, "qp", qp, NativeQueuePair.class, handle -> handle.ibv, known -> {
            base.hint(verb, known, hints);
            return null;
        });
    }

    /**
     * Queries the limits of the device's completion counters. Requires rdma-core 65. Source:
     * {@code ibv_query_comp_cntr_caps(3)}.
     *
     * @return a new instance
     */
    public EfaCompCntrCaps queryCompCntrCaps() {
        return open("query_comp_cntr_caps", () -> EfaCompCntr.queryCaps(base));
    }

    /**
     * Creates a completion counter. It counts nothing until it is attached to a queue pair. Requires rdma-core 65.
     * Source: {@code efadv_create_comp_cntr(3)}.
     *
     * @param attr attributes of the counter
     * @return the counter
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if the device has no counters, {@link Errno#ENOMEM} if all are in
     *     use, {@link Errno#EBADF} for a file descriptor that is not open
     */
    public EfaCompCntr createCompCntr(EfaCompCntrInitAttr attr) {
        return EfaCompCntr.create(base, attr);
    }

    // ---- maximum depths of queues

    /**
     * Queries the maximum depth of a send queue with the given properties. Requires rdma-core 63. Source:
     * {@code efadv_get_max_sq_depth(3)}.
     *
     * @param flags {@link EfaSqDepthFlags} bits
     * @param maxSendSge maximum number of elements of a send
     * @param maxRdmaSge maximum number of elements of an RDMA read or write, 0 or 1
     * @param maxInlineData maximum inline data in bytes
     * @return the maximum number of requests
     */
    public int maxSendQueueDepth(int flags, int maxSendSge, int maxRdmaSge, int maxInlineData) {
        String verb = "efadv_get_max_sq_depth";
        return open(verb, () -> {
            try (Scratch c = new Scratch(EfaSqDepthAttrLayout.SIZEOF)) {
                NativeMemory.putInt(c.address() + EfaSqDepthAttrLayout.FLAGS, flags);
                NativeMemory.putInt(c.address() + EfaSqDepthAttrLayout.MAX_SEND_SGE, maxSendSge);
                NativeMemory.putInt(c.address() + EfaSqDepthAttrLayout.MAX_RDMA_SGE, maxRdmaSge);
                NativeMemory.putInt(c.address() + EfaSqDepthAttrLayout.MAX_INLINE_DATA, maxInlineData);
                NativeFunction function = Libefa.function(verb, 63);
                return depth(verb, (int) function.call(base.address(), c.address(), EfaSqDepthAttrLayout.SIZEOF));
            }
        });
    }

    /**
     * Queries the maximum depth of a receive queue. Requires rdma-core 63. Source: {@code efadv_get_max_rq_depth(3)}.
     *
     * @param maxRecvSge maximum number of elements of a receive, at least 1
     * @return the maximum number of requests
     */
    public int maxReceiveQueueDepth(int maxRecvSge) {
        String verb = "efadv_get_max_rq_depth";
        if (maxRecvSge < 1) { // libefa divides by it
            throw new VerbsException(Errno.EINVAL, verb, "maxRecvSge is " + maxRecvSge + "; pass at least 1");
        }
        return open(verb, () -> {
            try (Scratch c = new Scratch(EfaRqDepthAttrLayout.SIZEOF)) {
                NativeMemory.putInt(c.address() + EfaRqDepthAttrLayout.MAX_RECV_SGE, maxRecvSge);
                NativeFunction function = Libefa.function(verb, 63);
                return depth(verb, (int) function.call(base.address(), c.address(), EfaRqDepthAttrLayout.SIZEOF));
            }
        });
    }

    private static int depth(String verb, int answer) {
        if (answer < 0) {
            throw Answers.failed(verb, -answer);
        }
        return answer;
    }

    // ---- reading completions

    /**
     * Reads the sender's GID of the current completion. The device reports it only for senders that have no address
     * handle here. Allocates nothing on the data path in Java. Requires rdma-core 43. Source:
     * {@code efadv_create_cq(3)}.
     *
     * @param cq a queue that was created with {@link EfaWcFlags#SGID} and is being read by this thread
     * @param gid 16 bytes that receive the GID in network order, as {@link Gid#of(byte[])} expects it; the caller may
     *     reuse the array
     * @return false if the completion carries no GID; the array is then unchanged
     * @throws VerbsException {@link Errno#EINVAL} if no completion is current, or if {@code gid} is null or of another
     *     length
     */
    public boolean readSgid(CompletionQueue cq, byte[] gid) {
        String verb = "efadv_wc_read_sgid";
        if (gid == null || gid.length != Gid.LENGTH) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    "gid " + (gid == null ? "is null" : "has " + gid.length + " bytes") + "; pass an array of 16");
        }
        if (cq instanceof EfaRingCompletionQueue java) {
            return reader(verb, java, EfaWcFlags.SGID).sgid(gid);
        }
        return reading(verb, cq, functions -> {
            try (Scratch c = new Scratch(Gid.LENGTH)) {
                long answer = function(verb, functions + EfaCqExLayout.WC_READ_SGID, 43)
                        .call(functions, c.address());
                if ((int) answer == 0) {
                    NativeMemory.getBytes(c.address(), gid);
                }
                return (int) answer == 0;
            }
        });
    }

    /**
     * Returns whether the current completion is that of a write with immediate data that consumed no receive. If so,
     * its {@code wrId} means nothing. Requires rdma-core 52. Source: {@code efadv_create_cq(3)}.
     *
     * @param cq a queue that was created with {@link EfaWcFlags#IS_UNSOLICITED} and is being read by this thread
     * @return whether the write consumed no receive
     * @throws VerbsException {@link Errno#EINVAL} if no completion is current
     */
    public boolean isUnsolicited(CompletionQueue cq) {
        String verb = "efadv_wc_is_unsolicited";
        if (cq instanceof EfaRingCompletionQueue java) {
            return reader(verb, java, EfaWcFlags.IS_UNSOLICITED).isUnsolicited();
        }
        return reading(verb, cq, functions -> {
            long answer = function(verb, functions + EfaCqExLayout.WC_IS_UNSOLICITED, 52)
                    .call(functions);
            return (answer & 1) != 0; // a C bool: the other bits are undefined
        });
    }

    /** Runs code on the {@code struct efadv_cq} of a queue that libefa reads. */
    private boolean reading(String verb, CompletionQueue cq, LongPredicate body) {
        return base.use(verb, "cq", cq, NativeCompletionQueue.class, handle -> handle.ibv, known -> {
            if (!(known instanceof IbvCqEx extended) || !extended.isReadFromDriver()) {
                throw noCompletion(verb);
            }
            long functions = Libefa.function("efadv_cq_from_ibv_cq_ex", 43).call(known.address());
            return body.test(Answers.checkPointer(verb, functions));
        });
    }

    /**
     * Returns the reader of a queue that Java reads. Needs no pin, since the queue does not close while a completion is
     * current.
     */
    private EfaReader reader(String verb, EfaRingCompletionQueue cq, long wanted) {
        if (cq.context() != base.context()) {
            throw new VerbsException(
                    Errno.EINVAL, verb, "cq belongs to another context; use objects of one context together");
        }
        EfaReader reader = cq.efaReader;
        if (reader == null || !reader.isCurrent()) {
            throw noCompletion(verb);
        }
        if ((reader.madeFor() & wanted) == 0) {
            throw new VerbsException(
                    Errno.EINVAL, verb, "the queue was created without it; set it in EfaCqInitAttr.wcFlags");
        }
        return reader;
    }

    private static VerbsException noCompletion(String verb) {
        return new VerbsException(
                Errno.EINVAL, verb, "there is no current completion; startPoll or nextPoll must have returned 0");
    }

    private static NativeFunction function(String verb, long at, int since) {
        long address = NativeMemory.getLong(at);
        if (address == 0) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    "the queue was created without it, or libefa is older than rdma-core " + since
                            + ", which added it; set it in EfaCqInitAttr.wcFlags");
        }
        return NativeFunction.at(address);
    }
}
