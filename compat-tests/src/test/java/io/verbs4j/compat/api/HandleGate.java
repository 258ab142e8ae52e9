/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.api;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodNode;

/**
 * Frozen providers lack what a level adds to a handle, so each new method must have a body that says so: a data verb
 * returns EOPNOTSUPP or its negative value; any other method throws it. A method that silently returned 0 would look
 * successful.
 *
 * <p>Each such method is called on a handle that overrides nothing and whose fields are unset. Final methods are
 * skipped: no provider can override them, and they call through the table of the context.
 */
final class HandleGate {
    private static final int EOPNOTSUPP = 95;
    private static final String HANDLE = "io.verbs4j.VerbsObject";
    /** The library's own handles, which no provider subclasses. */
    private static final List<String> CONTEXTS = List.of("io.verbs4j.Context", "io.verbs4j.ExtendedContext");

    private HandleGate() {}

    static List<String> violations(Path old, Path now) {
        List<String> found = new ArrayList<>();
        try (URLClassLoader before = loader(old);
                Bare after = new Bare(now)) {
            for (String name : ApiSurface.of(old).types().keySet()) {
                Class<?> type = before.loadClass(name);
                if (before.loadClass(HANDLE).isAssignableFrom(type)
                        && !name.equals(HANDLE)
                        && !CONTEXTS.contains(name)
                        && Modifier.isAbstract(type.getModifiers())) {
                    found.addAll(added(type, after.loadClass(name), after));
                }
            }
        } catch (ClassNotFoundException | LinkageError e) {
            found.add("verbs-spi: a handle can't be loaded: " + e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    private static List<String> added(Class<?> old, Class<?> now, Bare loader) {
        Map<String, Method> added = methods(now);
        added.keySet().removeAll(methods(old).keySet());
        List<String> found = new ArrayList<>();
        Object bare = loader.bare(now);
        for (Method method : added.values()) {
            String answer = answer(method, bare);
            if (!answer.isEmpty()) {
                found.add("verbs-spi: what a level adds to a handle fails with EOPNOTSUPP by default: " + now.getName()
                        + "." + method.getName() + " " + answer);
            }
        }
        return found;
    }

    /** {@return the methods that a provider could override, by name and parameters} */
    private static Map<String, Method> methods(Class<?> type) {
        Map<String, Method> methods = new LinkedHashMap<>();
        for (Class<?> c = type; c != Object.class; c = c.getSuperclass()) {
            for (Method method : c.getDeclaredMethods()) {
                int modifiers = method.getModifiers();
                boolean open = Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
                if (open && !Modifier.isStatic(modifiers) && !method.isSynthetic()) {
                    methods.putIfAbsent(method.getName() + Type.getMethodDescriptor(method), method);
                }
            }
        }
        methods.values().removeIf(method -> Modifier.isFinal(method.getModifiers()));
        return methods;
    }

    private static String answer(Method method, Object bare) {
        if (Modifier.isAbstract(method.getModifiers())) {
            return "has no body";
        }
        Object[] nothing = new Object[method.getParameterCount()];
        for (int i = 0; i < nothing.length; i++) {
            // The element of a new array is 0, false or null.
            nothing[i] = Array.get(Array.newInstance(method.getParameterTypes()[i], 1), 0);
        }
        try {
            method.setAccessible(true);
            Object result = method.invoke(bare, nothing);
            boolean told = result instanceof Integer i && Math.abs(i) == EOPNOTSUPP;
            return told ? "" : "returns " + (method.getReturnType() == void.class ? "as if it had succeeded" : result);
        } catch (InvocationTargetException e) {
            return errno(e.getCause()) == EOPNOTSUPP ? "" : "throws " + e.getCause();
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private static int errno(Throwable thrown) {
        try {
            return (Integer) thrown.getClass().getMethod("errno").invoke(thrown);
        } catch (ReflectiveOperationException e) {
            return 0; // not the exception of the header
        }
    }

    private static URLClassLoader loader(Path jar) throws IOException {
        return new URLClassLoader(new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader());
    }

    /** Loads a header, and creates handles of it that override nothing. */
    private static final class Bare extends URLClassLoader {
        Bare(Path jar) throws IOException {
            super(new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader());
        }

        Object bare(Class<?> handle) {
            String name = "bare/" + handle.getSimpleName();
            ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
            writer.visit(
                    Opcodes.V17,
                    Opcodes.ACC_PUBLIC | Opcodes.ACC_SUPER,
                    name,
                    null,
                    Type.getInternalName(handle),
                    null);
            for (Method method : methods(handle).values()) {
                String descriptor = Type.getMethodDescriptor(method);
                if (Modifier.isAbstract(method.getModifiers())) {
                    MethodNode body = new MethodNode(Opcodes.ACC_PUBLIC, method.getName(), descriptor, null, null);
                    body.visitInsn(Opcodes.ACONST_NULL);
                    body.visitInsn(Opcodes.ATHROW);
                    body.visitMaxs(0, 0);
                    body.accept(writer);
                }
            }
            writer.visitEnd();
            byte[] bytes = writer.toByteArray();
            Class<?> type = defineClass(name.replace('/', '.'), bytes, 0, bytes.length);
            try {
                // Skips the constructor, which would need a context and parents. Uses the name of the class, because
                // javac warns about the class itself.
                Class<?> factory = Class.forName("sun.reflect.ReflectionFactory");
                Object instance = factory.getMethod("getReflectionFactory").invoke(null);
                Constructor<?> empty = (Constructor<?>)
                        factory.getMethod("newConstructorForSerialization", Class.class, Constructor.class)
                                .invoke(instance, type, Object.class.getDeclaredConstructor());
                return empty.newInstance();
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
