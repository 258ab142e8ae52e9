/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.call;

import com.sun.jna.Callback;
import com.sun.jna.CallbackProxy;
import com.sun.jna.CallbackReference;
import com.sun.jna.Pointer;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;

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

    /** Apart, because they are made with JNA's help at the first use. */
    private static final class Functions {
        static final Callback ALLOC = new Function(5, RingCalls::give);
        static final Callback FREE = new Function(4, RingCalls::takeBack);
        static final long ALLOC_ADDRESS = Pointer.nativeValue(CallbackReference.getFunctionPointer(ALLOC));
        static final long FREE_ADDRESS = Pointer.nativeValue(CallbackReference.getFunctionPointer(FREE));
    }

    /** Not an interface with a method that JNA would look up: it may not look into this module. */
    private static final class Function implements CallbackProxy {
        private final int count;
        private final ToLongFunction<Object[]> body;

        Function(int count, ToLongFunction<Object[]> body) {
            this.count = count;
            this.body = body;
        }

        @Override
        public Object callback(Object[] arguments) {
            try {
                return body.applyAsLong(arguments);
            } catch (Throwable t) {
                tell(t);
                return 0L;
            }
        }

        @Override
        public Class<?>[] getParameterTypes() {
            Class<?>[] types = new Class<?>[count];
            Arrays.fill(types, long.class);
            return types;
        }

        @Override
        public Class<?> getReturnType() {
            return long.class;
        }
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
        return Functions.ALLOC_ADDRESS;
    }

    /** {@code void free(pd, pd_context, ptr, resource_type)}. */
    public static long free() {
        return Functions.FREE_ADDRESS;
    }

    private static long give(Object[] a) {
        Source source = SOURCES.get((Long) a[1]);
        long size = (Long) a[2];
        if (size == 0) {
            return 0; // which is none, and not none left
        }
        REFUSED.set(true);
        long address = source == null ? 0 : source.give(size, (Long) a[3], (Long) a[4]);
        if (address != 0) {
            REFUSED.remove();
        }
        return address;
    }

    private static long takeBack(Object[] a) {
        Source source = SOURCES.get((Long) a[1]);
        long address = (Long) a[2];
        if (source != null && address != 0) {
            source.takeBack(address, (Long) a[3]);
        }
        return 0;
    }

    private static void tell(Throwable t) {
        try {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, t);
        } catch (RuntimeException | Error again) {
            // there is nobody left to tell
        }
    }
}
