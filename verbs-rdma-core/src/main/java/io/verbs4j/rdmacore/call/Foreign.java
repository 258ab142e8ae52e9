/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.call;

import io.verbs4j.rdmacore.memory.NativeMemory;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.Reference;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The JDK's foreign function API. By reflection, as this module is compiled for JDK 17, which lacks it: but for what is made once,
 * all goes by method handles in {@code static final} fields, which the compiler takes for constants. The functions are arguments: each
 * is made an object of once, so that a call allocates nothing, compiled or not.
 */
final class Foreign {
    private static final String PACKAGE = "java.lang.foreign.";
    private static final int ERRNO_SIZE = 8; // an int, and room

    private static final Class<?> SEGMENT = type("MemorySegment");
    private static final Class<?> LAYOUT = type("MemoryLayout");
    private static final Class<?> DESCRIPTOR = type("FunctionDescriptor");
    private static final Class<?> LINKER = type("Linker");
    private static final Class<?> OPTION = type("Linker$Option");
    private static final Class<?> ARENA = type("Arena");
    private static final Class<?> LOOKUP = type("SymbolLookup");

    /** Where a thread's error number is kept. */
    private static final class Kept {
        final Object segment = allocate(ERRNO_SIZE);
        final long address = addressOf(segment);
    }

    private static final ThreadLocal<Kept> KEPT = ThreadLocal.withInitial(Kept::new);

    /** Apart, for what it takes to be called. */
    private static final class Nothing {
        /** Changes nothing, the error number least of all. */
        static final CheckedFunction FUNCTION = new CheckedFunction(libc().address("__errno_location"));
    }

    private Foreign() {}

    /** Why it can't be used here; null where it can. */
    static String problem() {
        try {
            handle(1);
            return null;
        } catch (IllegalCallerException e) {
            return NativeBinding.DENIED + e.getMessage();
        } catch (LinkageError | RuntimeException e) {
            return "the foreign function API does not work here: " + e;
        }
    }

    /** Whether a module has native access without asking. */
    static boolean mayCall(Module module) {
        return (boolean) call(method(Module.class, "isNativeAccessEnabled"), module);
    }

    /** {@code long f(function, long, ...)}. */
    static MethodHandle handle(int count) {
        MethodHandle plain = downcall(count);
        return plain.asType(plain.type().changeParameterType(0, Object.class));
    }

    /**
     * As {@link #handle}, of functions that return soon and call nothing of ours: the JVM takes no notice of the call, which saves most of its
     * cost, and can't stop for a garbage collection until it is over.
     */
    static MethodHandle dataHandle(int count) {
        boolean critical = !"false".equals(System.getProperty(NativeBinding.CRITICAL));
        MethodHandle plain = critical
                ? downcall(count, call(method(OPTION, "critical", boolean.class), null, false))
                : downcall(count);
        return plain.asType(plain.type().changeParameterType(0, Object.class));
    }

    /** {@code long f(function, segment, long, ...)}: it leaves the error number in the segment. */
    static MethodHandle checkedHandle(int count) {
        Object capture =
                call(method(OPTION, "captureCallState", String[].class), null, (Object) new String[] {"errno"});
        MethodHandle checked = downcall(count, capture);
        return checked.asType(
                checked.type().changeParameterType(0, Object.class).changeParameterType(1, Object.class));
    }

    /** What the handles take for the function at an address. */
    static Object function(long address) {
        return call(method(SEGMENT, "ofAddress", long.class), null, address);
    }

    private static MethodHandle downcall(int count, Object... options) {
        Object array = Array.newInstance(OPTION, options.length);
        System.arraycopy(options, 0, array, 0, options.length);
        return (MethodHandle)
                call(method(LINKER, "downcallHandle", DESCRIPTOR, array.getClass()), linker(), longs(count), array);
    }

    /** What returns a long, and takes so many. */
    private static Object longs(int count) {
        Object[] arguments = Collections.nCopies(count, constant("ValueLayout", "JAVA_LONG"))
                .toArray((Object[]) Array.newInstance(LAYOUT, 0));
        return call(
                method(DESCRIPTOR, "of", LAYOUT, arguments.getClass()),
                null,
                constant("ValueLayout", "JAVA_LONG"),
                arguments);
    }

    private static Object linker() {
        return call(method(LINKER, "nativeLinker"), null);
    }

    private static Object allocate(long size) {
        return call(method(ARENA, "allocate", long.class), arena("ofAuto"), size);
    }

    private static Object arena(String kind) {
        return call(method(ARENA, kind), null);
    }

    private static long addressOf(Object segment) {
        return (long) call(method(SEGMENT, "address"), segment);
    }

    // ---- libraries

    private record Opened(String name, Object lookup) implements LoadedLibrary {
        @Override
        public long address(String function) {
            Optional<?> found = (Optional<?>) call(method(LOOKUP, "find", String.class), lookup, function);
            return found.isEmpty() ? 0 : addressOf(found.get());
        }

        @Override
        public String describe() {
            String file = name.substring(name.lastIndexOf('/') + 1);
            try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
                return name
                        + maps.map(line -> line.substring(line.indexOf('/') + 1))
                                .filter(path -> path.substring(path.lastIndexOf('/') + 1)
                                        .startsWith(file))
                                .findFirst()
                                .map(path -> " (/" + path + ")")
                                .orElse("");
            } catch (IOException e) {
                return name;
            }
        }
    }

    /**
     * Opens a library.
     *
     * @throws UnsatisfiedLinkError where it can't be loaded
     */
    static LoadedLibrary open(String name) {
        String file = name.contains("/") || name.contains(".so") ? name : System.mapLibraryName(name);
        try {
            return new Opened(
                    name, call(method(LOOKUP, "libraryLookup", String.class, ARENA), null, file, arena("global")));
        } catch (IllegalArgumentException e) {
            throw (UnsatisfiedLinkError) new UnsatisfiedLinkError(e.getMessage()).initCause(e);
        }
    }

    static LoadedLibrary libc() {
        return new Loaded(function(
                new Opened("libc", call(method(LINKER, "defaultLookup"), linker())).address("dlsym")));
    }

    /**
     * What the process has loaded, as C finds it: what was preloaded comes before the C library. The linker's own look-up begins behind it.
     */
    private record Loaded(Object dlsym) implements LoadedLibrary {
        private static final long RTLD_DEFAULT = 0;
        private static final MethodHandle CALL = handle(2);

        @Override
        public long address(String function) {
            byte[] name = (function + '\0').getBytes(StandardCharsets.US_ASCII);
            Object segment = allocate(name.length);
            try {
                NativeMemory.putBytes(addressOf(segment), name);
                return (long) CALL.invokeExact(dlsym, RTLD_DEFAULT, addressOf(segment));
            } catch (Throwable t) {
                throw thrown(t);
            } finally {
                Reference.reachabilityFence(segment);
            }
        }

        @Override
        public String describe() {
            return "libc";
        }
    }

    // ---- functions

    static NativeFunction checked(long address) {
        return new CheckedFunction(address);
    }

    static NativeFunction data(long address) {
        keepErrno(); // loads now what would change it then
        return new DataFunction(address);
    }

    // ---- error numbers

    /** What a checked function gets to leave its error number in. */
    static Object kept() {
        return KEPT.get().segment;
    }

    static int errno() {
        return NativeMemory.getInt(KEPT.get().address);
    }

    static void errno(int number) {
        NativeMemory.putInt(KEPT.get().address, number);
    }

    /** Keeps the error number that the C library has at this moment: the JVM may have called it since. */
    static void keepErrno() {
        Nothing.FUNCTION.call(0);
    }

    /** What a method handle has thrown: of itself it throws nothing, so it is an error of the JVM's. */
    static RuntimeException thrown(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        return e instanceof RuntimeException exception ? exception : new IllegalStateException(e);
    }

    // ---- called by C

    static CallBack.Stub stub(CallBack of) {
        MethodHandle body;
        try {
            body = MethodHandles.lookup()
                    .findVirtual(
                            CallBack.class,
                            "run",
                            MethodType.methodType(
                                    long.class, Collections.nCopies(CallBack.ARGUMENTS, (Class<?>) long.class)))
                    .bindTo(of);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("CallBack.run", e);
        }
        Object options = Array.newInstance(OPTION, 0);
        Object segment = call(
                method(LINKER, "upcallStub", MethodHandle.class, DESCRIPTOR, ARENA, options.getClass()),
                linker(),
                body,
                longs(CallBack.ARGUMENTS),
                arena("ofAuto"),
                options);
        return new CallBack.Stub(addressOf(segment), segment);
    }

    // ---- reflection

    private static Class<?> type(String name) {
        try {
            return Class.forName(PACKAGE + name);
        } catch (ClassNotFoundException e) {
            throw new NoClassDefFoundError(PACKAGE + name);
        }
    }

    private static Object constant(String type, String name) {
        try {
            return type(type).getField(name).get(null);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(type + "." + name, e);
        }
    }

    private static Method method(Class<?> type, String name, Class<?>... parameters) {
        try {
            return type.getMethod(name, parameters);
        } catch (NoSuchMethodException e) {
            throw new LinkageError(type + "." + name, e);
        }
    }

    private static Object call(Method method, Object target, Object... arguments) {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw thrown(e.getCause());
        } catch (IllegalAccessException e) {
            throw new LinkageError(method.toString(), e);
        }
    }
}
