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
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

/**
 * What an open EFA has beyond the verbs; from {@link Context#vendor(Class)}. Queue pairs and completion queues of its own are made by the verbs, with {@link EfaQpInitAttr} and
 * {@link EfaCqInitAttr} as {@code vendor}. All methods may be called from any thread, but for those that read a completion: these belong to the
 * thread that does. Besides what each says they throw {@link VerbsException} with {@link Errno#EINVAL} after the context or the handle is closed and
 * for handles of another context, with {@link Errno#ENOSYS} where the loaded libefa is older than the function, and with what libefa or the
 * kernel answers. Source: efadv(7).
 */
public final class EfaDv {
    static {
        VendorVerbs.constructor(
                EfaDv.class,
                new Function<>() { // not a lambda: that would load the provider's class at once
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
     * Whether libefa drives a device.
     *
     * @param device a device that the library has listed
     * @return true for an EFA
     */
    public static boolean isSupported(Device device) {
        return device instanceof NativeDevice known && known.kernel.isEfa();
    }

    /**
     * The context that these are the direct verbs of.
     *
     * @return the context, as the program has it
     */
    public Context context() {
        return base.context();
    }

    private <T> T open(String verb, Supplier<T> body) {
        return base.children().use(verb, body);
    }

    /**
     * Asks what the device is. Rdma-core 26. Source: efadv_query_device(3).
     *
     * @return a new instance with the answer
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
     * Asks for the number that completions and work requests name an address handle by. Handles of one protection domain to one GID have the
     * same. Rdma-core 26. Source: efadv_query_ah(3).
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
     * Asks which interconnects a memory region is behind. Rdma-core 50. Source: efadv_query_mr(3).
     *
     * @param mr a memory region
     * @return a new instance with the answer
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

    // ---- where the rings are

    /**
     * Tells where the send queue of a queue pair is. Rdma-core 59. Source: efadv_query_qp_wqs(3).
     *
     * @param qp a queue pair
     * @return the answer; its addresses are good until the queue pair is closed
     */
    public EfaWorkQueue querySendQueue(QueuePair qp) {
        return workQueue(qp, true);
    }

    /**
     * Tells where the receive queue of a queue pair is: an entry is an element of a receive. Rdma-core 59. Source: efadv_query_qp_wqs(3).
     *
     * @param qp a queue pair
     * @return the answer; its addresses are good until the queue pair is closed
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
     * Tells where a completion queue is. Rdma-core 59. Source: efadv_query_cq(3).
     *
     * @param cq a completion queue
     * @return the answer; its addresses are good until the queue is closed
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

    // ---- what goes beside requests and completions

    /**
     * Has the device know something of the requests that are posted from now on. Rdma-core 64. Source: efadv_wr_set_processing_hints of
     * efadv_create_qp_ex(3).
     *
     * @param qp a queue pair that was made with {@link EfaWrFlags#PROCESSING_HINTS}
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
     * Asks what completion counters the device has. Rdma-core 65. Source: ibv_query_comp_cntr_caps(3).
     *
     * @return a new instance with the answer
     */
    public EfaCompCntrCaps queryCompCntrCaps() {
        return open("query_comp_cntr_caps", () -> EfaCompCntr.queryCaps(base));
    }

    /**
     * Makes a completion counter, which counts nothing before it is attached to a queue pair. Rdma-core 65. Source: efadv_create_comp_cntr(3).
     *
     * @param attr what it is made of
     * @return the counter
     * @throws VerbsException {@link Errno#EOPNOTSUPP} where the device has none, {@link Errno#ENOMEM} where it has no more, {@link Errno#EBADF}
     *     for a descriptor that is not open
     */
    public EfaCompCntr createCompCntr(EfaCompCntrInitAttr attr) {
        return EfaCompCntr.create(base, attr);
    }

    // ---- how deep queues may be

    /**
     * Asks how deep a send queue of these properties may be. Rdma-core 63. Source: efadv_get_max_sq_depth(3).
     *
     * @param flags {@link EfaSqDepthFlags} bits
     * @param maxSendSge most elements of a send
     * @param maxRdmaSge most elements of an RDMA read or write, 0 or 1
     * @param maxInlineData most inline data in bytes
     * @return most requests
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
     * Asks how deep a receive queue may be. Rdma-core 63. Source: efadv_get_max_rq_depth(3).
     *
     * @param maxRecvSge most elements of a receive, at least 1
     * @return most requests
     */
    public int maxReceiveQueueDepth(int maxRecvSge) {
        String verb = "efadv_get_max_rq_depth";
        if (maxRecvSge < 1) { // libefa divides by it
            throw new VerbsException(Errno.EINVAL, verb, "maxRecvSge is " + maxRecvSge + "; take 1 or more");
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
     * Reads the GID of the sender of the current completion, where the device tells it: of senders that there is no address handle of. Allocates
     * nothing on the data path in Java. Rdma-core 43. Source: efadv_create_cq(3).
     *
     * @param cq a queue that was made with {@link EfaWcFlags#SGID}, and is being read by this thread
     * @param gid gets the GID in network order, as {@link Gid#of(byte[])} takes it: 16 bytes, which the caller may use again
     * @return false where the completion has none; the array is unchanged then
     * @throws VerbsException {@link Errno#EINVAL} where no completion is current, and for null or another length
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
     * Whether the current completion is one of a write with immediate data that took no receive: its {@code wrId} means nothing then. Rdma-core
     * 52. Source: efadv_create_cq(3).
     *
     * @param cq a queue that was made with {@link EfaWcFlags#IS_UNSOLICITED}, and is being read by this thread
     * @return whether it is
     * @throws VerbsException {@link Errno#EINVAL} where no completion is current
     */
    public boolean isUnsolicited(CompletionQueue cq) {
        String verb = "efadv_wc_is_unsolicited";
        if (cq instanceof EfaRingCompletionQueue java) {
            return reader(verb, java, EfaWcFlags.IS_UNSOLICITED).isUnsolicited();
        }
        return reading(verb, cq, functions -> {
            long answer = function(verb, functions + EfaCqExLayout.WC_IS_UNSOLICITED, 52)
                    .call(functions);
            return (answer & 1) != 0; // a C bool: the other bits are anything
        });
    }

    /** Reads a {@code struct efadv_cq}. */
    private boolean reading(String verb, CompletionQueue cq, LongPredicate body) {
        return base.use(verb, "cq", cq, NativeCompletionQueue.class, handle -> handle.ibv, known -> {
            if (!(known instanceof IbvCqEx extended) || !extended.isReadFromDriver()) {
                throw noCompletion(verb);
            }
            long functions = Libefa.function("efadv_cq_from_ibv_cq_ex", 43).call(known.address());
            return body.test(Answers.checkPointer(verb, functions));
        });
    }

    /** The reader of a queue that Java reads. While a completion is current the queue does not close, so that it needs no pin. */
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
                    Errno.EINVAL, verb, "the queue was made without it: set it in EfaCqInitAttr.wcFlags");
        }
        return reader;
    }

    private static VerbsException noCompletion(String verb) {
        return new VerbsException(
                Errno.EINVAL, verb, "there is no current completion; startPoll or nextPoll must have told 0");
    }

    private static NativeFunction function(String verb, long at, int since) {
        long address = NativeMemory.getLong(at);
        if (address == 0) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    "the queue was made without it, or libefa is older than rdma-core " + since
                            + ", with which it came: set it in EfaCqInitAttr.wcFlags");
        }
        return NativeFunction.at(address);
    }
}
