/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.provider.rxe.memory.Memory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Optional;

/**
 * Functions of the C library by the JDK's foreign function API. By reflection, as this module is compiled for JDK 17,
 * which lacks it; what comes of it are method handles, for {@code static final} fields, which the compiler takes for
 * constants.
 */
final class ForeignFunctions {
    private static final String PACKAGE = "java.lang.foreign.";
    private static final Class<?> SEGMENT = type("MemorySegment");
    private static final Class<?> LAYOUT = type("MemoryLayout");
    private static final Class<?> OPTION = type("Linker$Option");

    private static final Object LINKER = call(method(type("Linker"), "nativeLinker"), null);
    private static final Object INT = constant("JAVA_INT");
    private static final VarHandle ERRNO = (VarHandle) call(method(type("ValueLayout"), "varHandle"), INT);

    /**
     * What a call leaves its error number in, for each thread: an object of the JDK's, which keeps no class loader of
     * ours.
     */
    private static final ThreadLocal<Object> KEPT = ThreadLocal.withInitial(ForeignFunctions::allocate);

    private ForeignFunctions() {}

    /** Where the C library has a thread's error number. */
    private static final class Location {
        static final MethodHandle FUNCTION = link("__errno_location", MethodType.methodType(long.class));
    }

    /**
     * Finds a function that is called now and then: a call keeps its error number, and makes an object where it is
     * not well compiled.
     *
     * @param type of ints and longs
     * @param fixed how many arguments come before those that C takes any number of; all where it doesn't
     * @return takes what {@link #kept} answers first
     * @throws UnsatisfiedLinkError where the C library has none
     */
    static MethodHandle find(String name, MethodType type, int fixed) {
        Object capture =
                call(method(OPTION, "captureCallState", String[].class), null, (Object) new String[] {"errno"});
        MethodHandle found = fixed < type.parameterCount()
                ? link(name, type, capture, call(method(OPTION, "firstVariadicArg", int.class), null, fixed))
                : link(name, type, capture);
        return found.asType(found.type().changeParameterType(0, Object.class));
    }

    /**
     * Finds a function that is called all the time: a call makes no object. Where it fails, {@link #keepErrno} is to
     * be called at once, or a function that {@link #find} has found instead.
     *
     * @param type of ints and longs
     * @throws UnsatisfiedLinkError where the C library has none
     */
    static MethodHandle findOften(String name, MethodType type) {
        keepErrno(); // what is loaded for it now can't change the number later
        return link(name, type);
    }

    private static MethodHandle link(String name, MethodType type, Object... all) {
        Object options = Array.newInstance(OPTION, all.length);
        System.arraycopy(all, 0, options, 0, all.length);
        Class<?> descriptor = type("FunctionDescriptor");
        return (MethodHandle) call(
                method(type("Linker"), "downcallHandle", SEGMENT, descriptor, options.getClass()),
                LINKER,
                address(name),
                describe(descriptor, type),
                options);
    }

    private static Object address(String name) {
        Object libc = call(method(type("Linker"), "defaultLookup"), LINKER);
        Optional<?> address = (Optional<?>) call(method(type("SymbolLookup"), "find", String.class), libc, name);
        return address.orElseThrow(() -> new UnsatisfiedLinkError("the C library has no " + name));
    }

    private static Object describe(Class<?> descriptor, MethodType type) {
        Object arguments = Array.newInstance(LAYOUT, type.parameterCount());
        for (int i = 0; i < type.parameterCount(); i++) {
            Array.set(arguments, i, layout(type.parameterType(i)));
        }
        return call(method(descriptor, "of", LAYOUT, arguments.getClass()), null, layout(type.returnType()), arguments);
    }

    private static Object layout(Class<?> primitive) {
        return primitive == int.class ? INT : constant("JAVA_LONG");
    }

    private static Object allocate() {
        Class<?> arena = type("Arena");
        return call(method(arena, "allocate", long.class), call(method(arena, "ofAuto"), null), (long) Integer.BYTES);
    }

    /** What the functions take first. */
    static Object kept() {
        return KEPT.get();
    }

    /**
     * Keeps the error number of a call that has failed a moment ago. If the JVM has stopped this thread since, to
     * collect garbage for instance, it is the one of that wait, EAGAIN or EINTR: a call that ends with either is made
     * again, and tells the true one then.
     */
    static void keepErrno() {
        try {
            int number = Memory.getInt((long) Location.FUNCTION.invokeExact());
            ERRNO.set(KEPT.get(), 0L, number);
        } catch (Throwable t) {
            throw thrown(t);
        }
    }

    /** The error number of this thread's last call that failed. */
    static int errno() {
        return (int) ERRNO.get(KEPT.get(), 0L);
    }

    /** What a call has thrown, as an exception that need not be declared. */
    static RuntimeException thrown(Throwable t) {
        if (t instanceof Error error) {
            throw error;
        }
        return t instanceof RuntimeException exception ? exception : new IllegalStateException(t);
    }

    /** Why a class of such functions can't be used. */
    static String obstacle(Throwable thrown) {
        Throwable cause = thrown.getCause() == null ? thrown : thrown.getCause();
        return "the JDK's foreign function API does not work here (" + cause
                + "); -Dio.verbs4j.native=jna, with JNA on the class path, does without";
    }

    // ---- reflection

    private static Class<?> type(String name) {
        try {
            return Class.forName(PACKAGE + name);
        } catch (ClassNotFoundException e) {
            throw (NoClassDefFoundError) new NoClassDefFoundError(PACKAGE + name).initCause(e);
        }
    }

    private static Object constant(String name) {
        try {
            return type("ValueLayout").getField(name).get(null);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(name, e);
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
