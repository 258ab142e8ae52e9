/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.dv;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.call.CallBack;
import io.verbs4j.natives.call.Libc;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.provider.mlx5.layout.DvCtxAllocatorsLayout;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.quirk.Libmlx5;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import java.util.function.LongUnaryOperator;

/**
 * The memory source of a context's rings and doorbell records, if a program sets an allocator. It gives libmlx5 two
 * functions once, so that memory of one allocator is never freed by another and no exception reaches C. It must remain
 * reachable as long as the context is open. Thread-safe.
 */
public final class RingMemory {
    private static final int BUF_ALLOCATORS = 1;

    private record Source(Object owner, LongUnaryOperator allocate, LongConsumer free) {}

    private CallBack allocate;
    private CallBack free;
    private final Map<Long, Source> given = new ConcurrentHashMap<>();
    private volatile Source source;

    /** Creates a source that leaves allocation to libmlx5. */
    public RingMemory() {}

    /**
     * Allocates memory from an allocator from now on; memory that was allocated before is freed by its own allocator.
     *
     * @param context the {@code struct ibv_context}
     * @param owner the object that {@link #owner} returns
     */
    public synchronized void from(long context, Object owner, LongUnaryOperator allocator, LongConsumer deallocator) {
        if (source == null) {
            install(context);
        }
        source = new Source(owner, allocator, deallocator);
    }

    /** Returns the owner of the allocator, or null for libmlx5's. */
    public Object owner() {
        Source from = source;
        return from == null ? null : from.owner();
    }

    private void install(long context) {
        allocate = new CallBack((size, data, c, d, e, f) -> give(size));
        free = new CallBack((address, data, c, d, e, f) -> takeBack(address));
        try (Scratch c = new Scratch(DvCtxAllocatorsLayout.SIZEOF)) {
            NativeMemory.putLong(c.address() + DvCtxAllocatorsLayout.ALLOC, allocate.address());
            NativeMemory.putLong(c.address() + DvCtxAllocatorsLayout.FREE, free.address());
            Answers.check(
                    "mlx5dv_set_context_attr",
                    Libmlx5.function("mlx5dv_set_context_attr", 15).call(context, BUF_ALLOCATORS, c.address()));
        }
    }

    /** {@code void *alloc(size_t size, void *data)}: called by libmlx5, on the thread that creates an object. */
    private long give(long size) {
        Source from = source;
        if (from == null) {
            return 0; // between install and its return
        }
        long address = from.allocate().applyAsLong(size);
        if (address == 0) {
            return 0;
        }
        if ((address & Libc.getpagesize() - 1) != 0) {
            from.free().accept(address);
            throw new VerbsException(
                    Errno.EINVAL,
                    "mlx5dv_set_context_attr",
                    "the allocator returned 0x" + Long.toHexString(address)
                            + "; it must return page-aligned addresses");
        }
        NativeMemory.clear(address, size); // as libmlx5's own memory is
        given.put(address, from);
        return address;
    }

    /** {@code void free(void *address, void *data)}; the result is ignored. */
    private long takeBack(long address) {
        Source from = given.remove(address);
        if (from != null) {
            from.free().accept(address);
        }
        return 0;
    }
}
