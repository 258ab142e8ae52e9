/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.call;

import io.verbs4j.natives.call.CallBack;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What C calls where a parent domain has allocators: two functions for all of them, for ever, so that C never calls one that is no
 * more; which domain it is about is told by its {@code pd_context}, a number of ours. No exception gets to C: it counts as NULL, and
 * goes where those go that nobody catches.
 */
public final class RingCalls {
    /** Gives memory, and takes it back. */
    public interface Source {
        /** An address, 0 for none, or -1 for the driver's own. */
        long give(long size, long alignment, long resourceType);

        /** Gets back what {@link #give} has given. */
        void takeBack(long address, long resourceType);
    }

    /** What C knows a source by. */
    public static final class Registration {
        private final long number = NEXT.incrementAndGet();

        private Registration() {}

        /** {@code pd_context}. */
        public long number() {
            return number;
        }

        /** From now on C is served. */
        public void serve(Source source) {
            SOURCES.put(number, source);
        }

        /** C knows it no more. */
        public void close() {
            SOURCES.remove(number);
        }
    }

    private static final Map<Long, Source> SOURCES = new ConcurrentHashMap<>();
    private static final AtomicLong NEXT = new AtomicLong();
    private static final ThreadLocal<Boolean> REFUSED = new ThreadLocal<>();

    /** Apart, because they are made at the first use. */
    private static final class Functions {
        static final CallBack ALLOC =
                new CallBack((pd, number, size, alignment, type, f) -> give(number, size, alignment, type));
        static final CallBack FREE = new CallBack((pd, number, address, type, e, f) -> takeBack(number, address, type));
    }

    private RingCalls() {}

    /** Whether this thread's allocator has given no memory since {@link #wasRefused} was asked. */
    static boolean isRefused() {
        return REFUSED.get() != null;
    }

    /** As {@link #isRefused}, and forgets it. */
    static boolean wasRefused() {
        boolean refused = isRefused();
        REFUSED.remove();
        return refused;
    }

    /** A number for a source that is to come. */
    public static Registration register() {
        return new Registration();
    }

    /** {@code void *alloc(pd, pd_context, size, alignment, resource_type)}. */
    public static long alloc() {
        return Functions.ALLOC.address();
    }

    /** {@code void free(pd, pd_context, ptr, resource_type)}. */
    public static long free() {
        return Functions.FREE.address();
    }

    private static long give(long number, long size, long alignment, long resourceType) {
        Source source = SOURCES.get(number);
        if (size == 0) {
            return 0; // which is none, and not none left
        }
        REFUSED.set(true);
        long address = source == null ? 0 : source.give(size, alignment, resourceType);
        if (address != 0) {
            REFUSED.remove();
        }
        return address;
    }

    private static long takeBack(long number, long address, long resourceType) {
        Source source = SOURCES.get(number);
        if (source != null && address != 0) {
            source.takeBack(address, resourceType);
        }
        return 0;
    }
}
