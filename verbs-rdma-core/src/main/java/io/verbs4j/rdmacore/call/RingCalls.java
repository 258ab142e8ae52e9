/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.call;

import io.verbs4j.natives.call.CallBack;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The functions that C calls for a parent domain with allocators. Two functions serve all domains and are never freed,
 * so C never calls one that no longer exists. The domain is identified by its {@code pd_context}, a number assigned
 * here. An exception never reaches C: it goes to the thread's uncaught exception handler, and C gets NULL.
 */
public final class RingCalls {
    /** Allocates and frees memory. */
    public interface Source {
        /** {@return an address, 0 for none, or -1 for the driver's own memory} */
        long give(long size, long alignment, long resourceType);

        /** Frees memory from {@link #give}. */
        void takeBack(long address, long resourceType);
    }

    /** Identifies a source to C. */
    public static final class Registration {
        private final long number = NEXT.incrementAndGet();

        private Registration() {}

        /** {@return the {@code pd_context}} */
        public long number() {
            return number;
        }

        /** Serves calls of C from now on. */
        public void serve(Source source) {
            SOURCES.put(number, source);
        }

        /** Ends the registration; C no longer uses it. */
        public void close() {
            SOURCES.remove(number);
        }
    }

    private static final Map<Long, Source> SOURCES = new ConcurrentHashMap<>();
    private static final AtomicLong NEXT = new AtomicLong();
    private static final ThreadLocal<Boolean> REFUSED = new ThreadLocal<>();

    /** A class of its own, so that the functions are created at the first use. */
    private static final class Functions {
        static final CallBack ALLOC =
                new CallBack((pd, number, size, alignment, type, f) -> give(number, size, alignment, type));
        static final CallBack FREE = new CallBack((pd, number, address, type, e, f) -> takeBack(number, address, type));
    }

    private RingCalls() {}

    /** {@return whether this thread's allocator has returned no memory since the last {@link #wasRefused}} */
    static boolean isRefused() {
        return REFUSED.get() != null;
    }

    /** As {@link #isRefused}, and resets the state. */
    static boolean wasRefused() {
        boolean refused = isRefused();
        REFUSED.remove();
        return refused;
    }

    /** Registers a source that is set later. */
    public static Registration register() {
        return new Registration();
    }

    /** {@return {@code void *alloc(pd, pd_context, size, alignment, resource_type)}} */
    public static long alloc() {
        return Functions.ALLOC.address();
    }

    /** {@return {@code void free(pd, pd_context, ptr, resource_type)}} */
    public static long free() {
        return Functions.FREE.address();
    }

    private static long give(long number, long size, long alignment, long resourceType) {
        Source source = SOURCES.get(number);
        if (size == 0) {
            return 0; // none needed, which is no refusal
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
