/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.efadv;

import io.verbs4j.Errno;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.provider.efa.dv.DvContext;
import io.verbs4j.provider.efa.dv.Libefa;
import io.verbs4j.provider.efa.layout.EfaCompCntrInitAttrLayout;
import io.verbs4j.provider.efa.layout.EfaMemoryLocationLayout;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.layout.CompCntrCapsLayout;
import io.verbs4j.rdmacore.layout.CompCntrInitAttrLayout;
import io.verbs4j.rdmacore.layout.QpAttachCompCntrAttrLayout;
import io.verbs4j.rdmacore.object.CounterFunction;
import io.verbs4j.rdmacore.object.NativeQueuePair;
import io.verbs4j.rdmacore.object.OpenHandles;
import io.verbs4j.rdmacore.object.VendorObject;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * A completion counter: two unsigned 64-bit numbers that the device increments for completions of the queue pairs that
 * the counter is attached to.
 *
 * <p>Use {@link io.verbs4j.CompletionCounter} instead, which works with any device (since level 4 of the header),
 * unless the counter must lie in the program's own memory: only {@code efadv_create_comp_cntr} can do that. Requires
 * rdma-core 65.
 *
 * <p>The counter must be closed before its context, and cannot be closed while it is attached to a queue pair.
 * Thread-safe. After close, all methods but {@link #close()} throw {@link VerbsException} with {@link Errno#EINVAL}.
 * Source: {@code ibv_create_comp_cntr(3)}, {@code efadv_create_comp_cntr(3)}.
 */
public final class EfaCompCntr implements AutoCloseable {
    private static final String CREATE = "efadv_create_comp_cntr";
    private static final String KIND = "completion counter";
    private static final int SINCE = 65;

    /**
     * Keeps open counters, and thus their buffers, reachable: the device may write there even if the program has
     * dropped the counter.
     */
    private static final Set<EfaCompCntr> REGISTERED = ConcurrentHashMap.newKeySet();

    private final VendorContext base;
    private final long address;
    private final VendorObject object;

    @SuppressWarnings("unused") // keeps the buffers reachable
    private final List<ByteBuffer> memory;

    private EfaCompCntr(VendorContext base, long address, List<ByteBuffer> memory) {
        this.base = base;
        this.address = address;
        this.object = new VendorObject(base.children(), KIND);
        this.memory = memory;
        REGISTERED.add(this);
    }

    static EfaCompCntr create(DvContext base, EfaCompCntrInitAttr attr) {
        if (attr == null) {
            throw new VerbsException(Errno.EINVAL, CREATE, "attr is null; pass a new EfaCompCntrInitAttr");
        }
        NativeFunction function = Libefa.function(CREATE, SINCE);
        return base.children().make(CREATE, KIND, () -> {
            try (Scratch usual = new Scratch(CompCntrInitAttrLayout.SIZEOF);
                    Scratch efa = new Scratch(EfaCompCntrInitAttrLayout.SIZEOF)) {
                long at = efa.address();
                NativeMemory.putInt(at + EfaCompCntrInitAttrLayout.FLAGS, attr.flags());
                put(at + EfaCompCntrInitAttrLayout.COMP_CNTR_EXT_MEM, attr.completions());
                put(at + EfaCompCntrInitAttrLayout.ERR_CNTR_EXT_MEM, attr.errors());
                long made = function.call(base.address(), usual.address(), at, EfaCompCntrInitAttrLayout.SIZEOF);
                List<ByteBuffer> memory = Stream.of(attr.completions(), attr.errors())
                        .filter(place -> place != null && place.memory() != null)
                        .map(EfaMemoryLocation::memory)
                        .toList();
                return new EfaCompCntr(base, Answers.checkPointer(CREATE, made), memory);
            }
        });
    }

    private static void put(long at, EfaMemoryLocation place) {
        if (place == null) {
            return;
        }
        ByteBuffer memory = place.memory();
        NativeMemory.putLong(at + EfaMemoryLocationLayout.PTR, memory == null ? 0 : NativeMemory.address(memory));
        NativeMemory.putLong(at + EfaMemoryLocationLayout.DMABUF_OFFSET, place.offset());
        NativeMemory.putInt(at + EfaMemoryLocationLayout.DMABUF_FD, place.fd());
        NativeMemory.putByte(at + EfaMemoryLocationLayout.TYPE, place.type());
    }

    static EfaCompCntrCaps queryCaps(DvContext base) {
        NativeFunction function = Libibverbs.function("_ibv_query_comp_cntr_caps", SINCE);
        try (Scratch c = new Scratch(CompCntrCapsLayout.SIZEOF)) {
            Answers.check(
                    "query_comp_cntr_caps", function.call(base.address(), c.address(), CompCntrCapsLayout.SIZEOF));
            return new EfaCompCntrCaps(c.address());
        }
    }

    /**
     * Starts to count completions of a queue pair, until the queue pair is closed. Several queue pairs may share a
     * counter, and a queue pair may have a different counter for each operation. Source:
     * {@code ibv_qp_attach_comp_cntr(3)}.
     *
     * @param qp a queue pair in state RESET or INIT
     * @param ops what to count, {@link EfaCompCntrOps} bits
     * @throws VerbsException {@link Errno#EBUSY} if the queue pair already has a counter for one of these operations;
     *     {@link Errno#EOPNOTSUPP} for operations that the device does not count; {@link Errno#EINVAL} if {@code ops}
     *     is 0, or the queue pair is in another state
     */
    public void attach(QueuePair qp, int ops) {
        String verb = "qp_attach_comp_cntr";
        Answers.requireKnown(
                verb,
                "ops",
                ops,
                (EfaCompCntrOps.REMOTE_RDMA_WRITE << 1) - 1,
                bits -> "0x" + Integer.toHexString(bits));
        NativeFunction function = Libibverbs.function("ibv_qp_attach_comp_cntr", SINCE);
        object.run(
                verb,
                () -> OpenHandles.use(
                        base.context(), verb, "qp", qp, NativeQueuePair.class, handle -> handle.ibv, known -> {
                            try (Scratch c = new Scratch(QpAttachCompCntrAttrLayout.SIZEOF)) {
                                NativeMemory.putInt(c.address() + QpAttachCompCntrAttrLayout.OP_MASK, ops);
                                Answers.check(verb, function.call(known.address(), address, c.address()));
                                return null;
                            }
                        }));
    }

    /**
     * Reads the count of successes. Source: {@code ibv_read_comp_cntr(3)}.
     *
     * @return the count, unsigned
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if the count lies in a dma-buf that was passed without a mapping
     */
    public long read() {
        return read(CounterFunction.READ);
    }

    /**
     * Reads the count of failures. Source: {@code ibv_read_err_comp_cntr(3)}.
     *
     * @return the count, unsigned
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if the count lies in a dma-buf that was passed without a mapping
     */
    public long readErr() {
        return read(CounterFunction.READ_ERR);
    }

    private long read(CounterFunction function) {
        return object.use(function.symbol(), () -> function.read(function.symbol(), address));
    }

    /**
     * Sets the count of successes. What is counted at the same time may be lost. Source: {@code ibv_set_comp_cntr(3)}.
     *
     * @param value up to {@link EfaCompCntrCaps#maxValue()}
     */
    public void set(long value) {
        change(CounterFunction.SET, value);
    }

    /**
     * Sets the count of failures. What is counted at the same time may be lost. Source:
     * {@code ibv_set_err_comp_cntr(3)}.
     *
     * @param value up to {@link EfaCompCntrCaps#maxValue()}
     */
    public void setErr(long value) {
        change(CounterFunction.SET_ERR, value);
    }

    /**
     * Adds to the count of successes. Source: {@code ibv_inc_comp_cntr(3)}.
     *
     * @param amount up to {@link EfaCompCntrCaps#maxValue()}
     */
    public void inc(long amount) {
        change(CounterFunction.INC, amount);
    }

    /**
     * Adds to the count of failures. Source: {@code ibv_inc_err_comp_cntr(3)}.
     *
     * @param amount up to {@link EfaCompCntrCaps#maxValue()}
     */
    public void incErr(long amount) {
        change(CounterFunction.INC_ERR, amount);
    }

    private void change(CounterFunction function, long value) {
        object.run(function.symbol(), () -> function.change(function.symbol(), address, value));
    }

    /**
     * Destroys the counter. Does nothing if it is already closed.
     *
     * @throws VerbsException {@link Errno#EBUSY} while it is attached to a queue pair
     */
    @Override
    public void close() {
        String function = "ibv_destroy_comp_cntr";
        object.close(() -> {}, () -> {
            Answers.check(function, Libibverbs.function(function, SINCE).call(address));
            REGISTERED.remove(this);
        });
    }
}
