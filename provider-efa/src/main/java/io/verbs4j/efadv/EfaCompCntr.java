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
 * A completion counter: two numbers of 64 bits, unsigned, which the device counts up with the completions of the queue pairs that it is attached
 * to. Open until it is closed; its context can't be closed before, nor it while a queue pair has it. Thread-safe. All methods but
 * {@link #close()} throw {@link VerbsException} with {@link Errno#EINVAL} after that.
 *
 * <p>Level 4 of the header has counters of any device, {@link io.verbs4j.CompletionCounter}: use those, unless the counter is to lie in memory of the
 * program's own, which only {@code efadv_create_comp_cntr} can do. Rdma-core 65. Source: ibv_create_comp_cntr(3),
 * efadv_create_comp_cntr(3).
 */
public final class EfaCompCntr implements AutoCloseable {
    private static final String CREATE = "efadv_create_comp_cntr";
    private static final String KIND = "completion counter";
    private static final int SINCE = 65;

    /** Those that hold buffers: the device may touch them, whether Java still knows of the counter or not. */
    private static final Set<EfaCompCntr> REGISTERED = ConcurrentHashMap.newKeySet();

    private final VendorContext base;
    private final long address;
    private final VendorObject object;

    @SuppressWarnings("unused") // it only has to be reachable
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
     * Counts completions of a queue pair, until that is closed. Several queue pairs may share a counter, and a queue pair may have one for each
     * operation. Source: ibv_qp_attach_comp_cntr(3).
     *
     * @param qp a queue pair in state RESET or INIT
     * @param ops what to count, {@link EfaCompCntrOps} bits
     * @throws VerbsException {@link Errno#EBUSY} where the queue pair has another counter for one of these; {@link Errno#EOPNOTSUPP} for what
     *     the device does not count; {@link Errno#EINVAL} for none, and in other states
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
     * Reads how many went well. Source: ibv_read_comp_cntr(3).
     *
     * @return the number, unsigned
     * @throws VerbsException {@link Errno#EOPNOTSUPP} where it lies behind a dma-buf that was given without a mapping
     */
    public long read() {
        return read(CounterFunction.READ);
    }

    /**
     * Reads how many failed. Source: ibv_read_err_comp_cntr(3).
     *
     * @return the number, unsigned
     * @throws VerbsException {@link Errno#EOPNOTSUPP} where it lies behind a dma-buf that was given without a mapping
     */
    public long readErr() {
        return read(CounterFunction.READ_ERR);
    }

    private long read(CounterFunction function) {
        return object.use(function.symbol(), () -> function.read(function.symbol(), address));
    }

    /**
     * Sets how many went well; what is counted meanwhile may be lost. Source: ibv_set_comp_cntr(3).
     *
     * @param value up to {@link EfaCompCntrCaps#maxValue()}
     */
    public void set(long value) {
        change(CounterFunction.SET, value);
    }

    /**
     * Sets how many failed; what is counted meanwhile may be lost. Source: ibv_set_err_comp_cntr(3).
     *
     * @param value up to {@link EfaCompCntrCaps#maxValue()}
     */
    public void setErr(long value) {
        change(CounterFunction.SET_ERR, value);
    }

    /**
     * Adds to how many went well. Source: ibv_inc_comp_cntr(3).
     *
     * @param amount up to {@link EfaCompCntrCaps#maxValue()}
     */
    public void inc(long amount) {
        change(CounterFunction.INC, amount);
    }

    /**
     * Adds to how many failed. Source: ibv_inc_err_comp_cntr(3).
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
     * Destroys the counter; does nothing where that was done before.
     *
     * @throws VerbsException {@link Errno#EBUSY} while a queue pair has it
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
