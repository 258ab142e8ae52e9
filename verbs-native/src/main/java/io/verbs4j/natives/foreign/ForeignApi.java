/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.foreign;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * Access to the package {@code java.lang.foreign} by reflection, because this module is compiled for JDK 17, which
 * lacks it. Frequently used methods become handles in {@code static final} fields, which the compiler treats as
 * constants.
 */
public final class ForeignApi {
    private static final String PACKAGE = "java.lang.foreign.";

    /** {@code MemorySegment}. */
    public static final Class<?> SEGMENT = type("MemorySegment");

    private ForeignApi() {}

    /** {@return a type of the package} */
    public static Class<?> type(String name) {
        try {
            return Class.forName(PACKAGE + name);
        } catch (ClassNotFoundException e) {
            throw (NoClassDefFoundError) new NoClassDefFoundError(PACKAGE + name).initCause(e);
        }
    }

    /** {@return a constant of a type of the package} */
    public static Object constant(Class<?> type, String name) {
        try {
            return type.getField(name).get(null);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(type + "." + name, e);
        }
    }

    /** {@return a method for {@link #call}} */
    public static Method method(Class<?> type, String name, Class<?>... parameters) {
        try {
            return type.getMethod(name, parameters);
        } catch (NoSuchMethodException e) {
            throw new LinkageError(type + "." + name, e);
        }
    }

    /** Calls a method; throws what the method throws. */
    public static Object call(Method method, Object target, Object... arguments) {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw thrown(e.getCause());
        } catch (IllegalAccessException e) {
            throw new LinkageError(method.toString(), e);
        }
    }

    /** {@return a handle for values of a layout, by the name of the constant in {@code ValueLayout}} */
    public static VarHandle ofValues(String layout) {
        Class<?> layouts = type("ValueLayout");
        return (VarHandle) call(method(layouts, "varHandle"), constant(layouts, layout));
    }

    /** {@return a handle of a method of {@code MemorySegment}} */
    public static MethodHandle ofSegment(String name, MethodType type, boolean isStatic) {
        try {
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            return isStatic ? lookup.findStatic(SEGMENT, name, type) : lookup.findVirtual(SEGMENT, name, type);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(SEGMENT + "." + name, e);
        }
    }

    /**
     * Converts what a method handle has thrown to an unchecked exception. The handles themselves throw no checked
     * exception.
     */
    public static RuntimeException thrown(Throwable t) {
        if (t instanceof Error error) {
            throw error;
        }
        return t instanceof RuntimeException exception ? exception : new IllegalStateException(t);
    }
}
