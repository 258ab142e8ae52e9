/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.foreign;

import static io.verbs4j.natives.foreign.ForeignApi.SEGMENT;
import static io.verbs4j.natives.foreign.ForeignApi.call;
import static io.verbs4j.natives.foreign.ForeignApi.constant;
import static io.verbs4j.natives.foreign.ForeignApi.method;
import static io.verbs4j.natives.foreign.ForeignApi.type;

import java.lang.invoke.MethodHandle;
import java.lang.ref.Reference;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Optional;

/**
 * The linker of the foreign function API. Its handles take the function as an argument. The object for a function is
 * created once, so a call allocates nothing, compiled or not.
 */
public final class ForeignLinker {
    private static final Class<?> LAYOUT = type("MemoryLayout");
    private static final Class<?> DESCRIPTOR = type("FunctionDescriptor");
    private static final Class<?> LINKER = type("Linker");
    private static final Class<?> OPTION = type("Linker$Option");
    private static final Class<?> ARENA = type("Arena");
    private static final Class<?> LOOKUP = type("SymbolLookup");
    private static final Class<?> VALUE_LAYOUT = type("ValueLayout");

    private ForeignLinker() {}

    /** {@return why the linker cannot be used here, or null if it can} */
    public static String problem() {
        try {
            handle(1);
            return null;
        } catch (LinkageError | RuntimeException e) {
            return "does not work here (" + e + ")";
        }
    }

    // ---- functions

    /** {@return {@code long f(function, long, ...)} with {@code count} numbers} */
    public static MethodHandle handle(int count) {
        return ofAnyFunction(downcall(count));
    }

    /**
     * As {@link #handle}, for functions that return soon and never call back into Java. The JVM skips the thread's
     * state change, which saves most of the cost; a garbage collection cannot start until the call returns.
     */
    public static MethodHandle criticalHandle(int count) {
        return ofAnyFunction(downcall(count, call(method(OPTION, "critical", boolean.class), null, false)));
    }

    /** {@return {@code long f(function, segment, long, ...)}, which leaves errno in the segment} */
    public static MethodHandle checkedHandle(int count) {
        Object capture =
                call(method(OPTION, "captureCallState", String[].class), null, (Object) new String[] {"errno"});
        MethodHandle checked = ofAnyFunction(downcall(count, capture));
        return checked.asType(checked.type().changeParameterType(1, Object.class));
    }

    private static MethodHandle ofAnyFunction(MethodHandle handle) {
        return handle.asType(handle.type().changeParameterType(0, Object.class));
    }

    private static MethodHandle downcall(int count, Object... options) {
        Object array = Array.newInstance(OPTION, options.length);
        System.arraycopy(options, 0, array, 0, options.length);
        return (MethodHandle)
                call(method(LINKER, "downcallHandle", DESCRIPTOR, array.getClass()), linker(), longs(count), array);
    }

    /** {@return the object that the handles take for the function at an address} */
    public static Object function(long address) {
        return call(method(SEGMENT, "ofAddress", long.class), null, address);
    }

    /**
     * Creates a function that C can call, valid as long as it is reachable. {@link #addressOf} returns its address for
     * C.
     */
    public static Object stub(MethodHandle body, int count) {
        Object options = Array.newInstance(OPTION, 0);
        return call(
                method(LINKER, "upcallStub", MethodHandle.class, DESCRIPTOR, ARENA, options.getClass()),
                linker(),
                body,
                longs(count),
                arena("ofAuto"),
                options);
    }

    /** {@return the descriptor of a function that takes {@code count} longs and returns one} */
    private static Object longs(int count) {
        Object number = constant(VALUE_LAYOUT, "JAVA_LONG");
        Object[] arguments = Collections.nCopies(count, number).toArray((Object[]) Array.newInstance(LAYOUT, 0));
        return call(method(DESCRIPTOR, "of", LAYOUT, arguments.getClass()), null, number, arguments);
    }

    private static Object linker() {
        return call(method(LINKER, "nativeLinker"), null);
    }

    // ---- memory

    /** Allocates a segment that is freed when it becomes unreachable. */
    public static Object allocate(long size) {
        return call(method(ARENA, "allocate", long.class), arena("ofAuto"), size);
    }

    private static Object arena(String kind) {
        return call(method(ARENA, kind), null);
    }

    /** {@return the address of a segment} */
    public static long addressOf(Object segment) {
        return (long) call(method(SEGMENT, "address"), segment);
    }

    // ---- libraries

    /**
     * Opens a library, given by a path or by a name for the loader, for the life of the JVM.
     *
     * @return the library, for {@link #find}
     * @throws UnsatisfiedLinkError if it cannot be loaded
     */
    public static Object open(String name) {
        String file = name.contains("/") || name.contains(".so") ? name : System.mapLibraryName(name);
        try {
            return call(method(LOOKUP, "libraryLookup", String.class, ARENA), null, file, arena("global"));
        } catch (IllegalArgumentException e) {
            throw (UnsatisfiedLinkError) new UnsatisfiedLinkError(e.getMessage()).initCause(e);
        }
    }

    /** {@return the address of a library's function, or 0 if it has none of that name} */
    public static long find(Object library, String function) {
        Optional<?> found = (Optional<?>) call(method(LOOKUP, "find", String.class), library, function);
        return found.isEmpty() ? 0 : addressOf(found.get());
    }

    /** {@return the address of a function as C in this process finds it, or 0 if there is none of that name} */
    public static long find(String function) {
        return ProcessSymbols.find(function);
    }

    /** Looks names up from preloaded libraries on. The linker's own lookup starts after those, at the C library. */
    private static final class ProcessSymbols {
        private static final long RTLD_DEFAULT = 0;
        private static final MethodHandle CALL = handle(2);
        private static final Object DLSYM =
                function(ForeignLinker.find(call(method(LINKER, "defaultLookup"), linker()), "dlsym"));

        static long find(String function) {
            byte[] name = (function + '\0').getBytes(StandardCharsets.US_ASCII);
            Object segment = allocate(name.length);
            try {
                ((ByteBuffer) call(method(SEGMENT, "asByteBuffer"), segment)).put(name);
                return (long) CALL.invokeExact(DLSYM, RTLD_DEFAULT, addressOf(segment));
            } catch (Throwable t) {
                throw ForeignApi.thrown(t);
            } finally {
                Reference.reachabilityFence(segment);
            }
        }
    }
}
