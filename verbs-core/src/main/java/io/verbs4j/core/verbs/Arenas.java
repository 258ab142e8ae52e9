/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.Set;

/**
 * Buffers whose memory belongs to an arena of {@code java.lang.foreign}: closing the arena frees the memory at once,
 * even if the buffer is still in use. Uses reflection, because the code is compiled for Java 17.
 *
 * <p>Java has no API that keeps an arena open beyond a call, except for a socket read that never ends, which would cost
 * a connection. Java's own input and output uses methods of {@link #INTERNAL}, which the JVM must be told to export.
 */
final class Arenas {
    /** Keeps an arena open until the buffer is no longer registered. */
    interface Hold {
        /** Holds nothing. */
        Hold NONE = new Hold() {
            @Override
            public void release() {
                // nothing is held
            }
        };

        void release();
    }

    /** Access to arenas, which differs by Java release. */
    private interface Access {
        /** The session of the memory; null if the memory is freed only when it is unreachable. */
        Object closeableSession(ByteBuffer buffer) throws ReflectiveOperationException;

        /** Keeps a session open; null if the JVM does not allow it. */
        Hold hold(Object session) throws ReflectiveOperationException;
    }

    private static final String INTERNAL = "jdk.internal.foreign";
    private static final Access ACCESS = find();

    private Arenas() {}

    /**
     * Keeps the memory of a direct buffer from being freed; its arena then refuses to close.
     *
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if that is not possible; {@link Errno#EINVAL} if the arena is
     *     closed or another thread's
     */
    static Hold hold(String verb, ByteBuffer buffer) {
        if (ACCESS == null) {
            return Hold.NONE;
        }
        Throwable cause;
        try {
            Object session = ACCESS.closeableSession(buffer);
            if (session == null) {
                return Hold.NONE;
            }
            Hold hold = ACCESS.hold(session);
            if (hold != null) {
                return hold;
            }
            cause = null;
        } catch (InvocationTargetException e) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    "the arena of the buffer's memory can't be kept open (" + e.getCause()
                            + "): register while the arena is open, and in its thread if it is confined",
                    e.getCause());
        } catch (ReflectiveOperationException e) {
            cause = e;
        }
        throw new VerbsException(
                Errno.EOPNOTSUPP,
                verb,
                "the buffer's memory belongs to an arena that can be closed while a device uses it, and this JVM"
                        + " does not let the library keep it open: use memory from ByteBuffer.allocateDirect,"
                        + " Arena.ofAuto() or Arena.global(), or start the JVM with " + remedy(),
                cause);
    }

    private static String remedy() {
        Module own = Arenas.class.getModule();
        return "--add-exports java.base/" + INTERNAL + "=" + (own.isNamed() ? own.getName() : "ALL-UNNAMED");
    }

    /** Null if the JVM has no arenas. The APIs of Java 18 to 20, which were replaced, are not supported. */
    private static Access find() {
        try {
            if (Runtime.version().feature() > 17) {
                return new Foreign(Class.forName("java.lang.foreign.MemorySegment"));
            }
            // Looks for a class: looking for an absent module would load a list of all modules, or streams.
            Class<?> segment =
                    Class.forName(Incubator.PACKAGE + ".MemorySegment", false, ClassLoader.getPlatformClassLoader());
            return new Incubator(segment.getModule());
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    /** Java 21 and newer. */
    private static final class Foreign implements Access {
        /** Sessions that end when the memory is unreachable. Those that a later Java adds are taken for closeable. */
        private static final Set<String> NOT_CLOSEABLE =
                Set.of("GlobalSession", "GlobalSession$HeapSession", "ImplicitSession");

        private final Method ofBuffer;
        private final Method scope;

        Foreign(Class<?> segment) throws ReflectiveOperationException {
            ofBuffer = segment.getMethod("ofBuffer", Buffer.class);
            scope = segment.getMethod("scope");
        }

        @Override
        public Object closeableSession(ByteBuffer buffer) throws ReflectiveOperationException {
            Object session = scope.invoke(ofBuffer.invoke(null, buffer));
            String type = session.getClass().getName();
            boolean known = type.startsWith(INTERNAL + ".");
            return known && NOT_CLOSEABLE.contains(type.substring(INTERNAL.length() + 1)) ? null : session;
        }

        @Override
        public Hold hold(Object session) throws ReflectiveOperationException {
            Class<?> type = Class.forName(INTERNAL + ".MemorySessionImpl");
            if (!type.getModule().isExported(INTERNAL, Arenas.class.getModule())) {
                return null;
            }
            Method release0 = type.getMethod("release0");
            type.getMethod("acquire0").invoke(session);
            return () -> release(release0, session);
        }
    }

    /** Java 17, which has this as a public API. */
    private static final class Incubator implements Access {
        static final String PACKAGE = "jdk.incubator.foreign";

        private final Method ofByteBuffer;
        private final Method scope;
        private final Method isImplicit;
        private final Method acquire;
        private final Method releaseHandle;

        Incubator(Module module) throws ReflectiveOperationException {
            Class<?> segment = type(module, "MemorySegment");
            Class<?> session = type(module, "ResourceScope");
            ofByteBuffer = segment.getMethod("ofByteBuffer", ByteBuffer.class);
            scope = segment.getMethod("scope");
            isImplicit = session.getMethod("isImplicit"); // so is the global one
            acquire = session.getMethod("acquire");
            releaseHandle = session.getMethod("release", acquire.getReturnType());
        }

        private static Class<?> type(Module module, String name) throws ClassNotFoundException {
            return Class.forName(PACKAGE + "." + name, true, module.getClassLoader());
        }

        @Override
        public Object closeableSession(ByteBuffer buffer) throws ReflectiveOperationException {
            Object session = scope.invoke(ofByteBuffer.invoke(null, buffer));
            return (boolean) isImplicit.invoke(session) ? null : session;
        }

        @Override
        public Hold hold(Object session) throws ReflectiveOperationException {
            Object handle = acquire.invoke(session);
            return () -> release(releaseHandle, session, handle);
        }
    }

    private static void release(Method method, Object target, Object... arguments) {
        try {
            method.invoke(target, arguments);
        } catch (ReflectiveOperationException e) {
            // The region ends regularly; the arena cannot be closed, and reports that.
        }
    }
}
