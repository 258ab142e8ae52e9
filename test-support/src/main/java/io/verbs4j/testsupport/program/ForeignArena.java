/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.testsupport.program;

import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import java.util.Locale;

/**
 * An arena of {@code java.lang.foreign}, by reflection, because tests are compiled for Java 17. There it is the
 * {@code ResourceScope} of the module {@code jdk.incubator.foreign}, which must be added.
 */
public final class ForeignArena {
    /** Kinds of arenas. */
    public enum Kind {
        GLOBAL,
        AUTO,
        SHARED,
        CONFINED;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final boolean INCUBATOR = Runtime.version().feature() == 17;
    private static final String PACKAGE = INCUBATOR ? "jdk.incubator.foreign." : "java.lang.foreign.";

    private final Class<?> type;
    private final Object arena;

    /** Opens an arena. */
    public ForeignArena(Kind kind) throws ReflectiveOperationException {
        type = Class.forName(PACKAGE + (INCUBATOR ? "ResourceScope" : "Arena"));
        arena = type.getMethod(factory(kind)).invoke(null);
    }

    private static String factory(Kind kind) {
        return switch (kind) {
            case GLOBAL -> INCUBATOR ? "globalScope" : "global";
            case AUTO -> INCUBATOR ? "newImplicitScope" : "ofAuto";
            case SHARED -> INCUBATOR ? "newSharedScope" : "ofShared";
            case CONFINED -> INCUBATOR ? "newConfinedScope" : "ofConfined";
        };
    }

    /** Allocates a buffer in the arena. */
    public ByteBuffer allocate(long size) throws ReflectiveOperationException {
        Class<?> segments = Class.forName(PACKAGE + "MemorySegment");
        Object segment = INCUBATOR
                ? segments.getMethod("allocateNative", long.class, type).invoke(null, size, arena)
                : type.getMethod("allocate", long.class).invoke(arena, size);
        return (ByteBuffer) segments.getMethod("asByteBuffer").invoke(segment);
    }

    /** Closes the arena; returns the exception, or null if it is closed. */
    public RuntimeException close() throws ReflectiveOperationException {
        try {
            type.getMethod("close").invoke(arena);
            return null;
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException refusal) {
                return refusal;
            }
            throw e;
        }
    }
}
