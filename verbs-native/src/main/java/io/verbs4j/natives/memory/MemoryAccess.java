/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.memory;

import java.nio.ByteBuffer;

/**
 * By what {@link NativeMemory} touches memory by address, and whether this JVM lets it: the JDK's foreign memory API,
 * where the JVM has it (22 and newer) and allows it, else {@code sun.misc.Unsafe}. Decided once, at the first use.
 * Apart from that class, which can't be used where neither is allowed.
 */
public final class MemoryAccess {
    /**
     * Property: {@code ffm} for the JDK's foreign function and memory API, {@code jna} for JNA and {@code
     * sun.misc.Unsafe}, where the choice is not to be made here.
     */
    public static final String PROPERTY = "io.verbs4j.native";

    private static final String FFM = "ffm";
    private static final String JNA = "jna";
    private static final int SINCE = 22;

    private static final String WANTED = System.getProperty(PROPERTY);

    /** What an obstacle begins with that an option takes away. */
    private static final String DENIED = "is not allowed (";

    private static final String JNAS = "is not asked for, as it is JNA that has native access";
    private static final String OBSTACLE = findObstacle();

    /** Apart, for {@link NativeMemory}, which asks first. */
    private static final class Probe {
        static final String PROBLEM = probe();
    }

    private MemoryAccess() {}

    /** Whether it is the JDK's foreign memory API; else {@code sun.misc.Unsafe}. */
    public static boolean isForeign() {
        return OBSTACLE == null;
    }

    /** Why it is not the JDK's foreign memory API, as what follows its name; null where it is. */
    public static String obstacle() {
        return OBSTACLE;
    }

    /** The option that gives the foreign API where this JVM has it and denies it; else null. */
    public static String grant() {
        return OBSTACLE != null && (OBSTACLE.startsWith(DENIED) || OBSTACLE.equals(JNAS)) ? option() : null;
    }

    private static String option() {
        Module module = MemoryAccess.class.getModule();
        return "--enable-native-access=" + (module.isNamed() ? module.getName() : "ALL-UNNAMED");
    }

    /** What is wrong with the choice that {@link #PROPERTY} makes, and what to do; null where nothing is. */
    public static String wrongChoice() {
        if (WANTED != null && !WANTED.equals(JNA) && !WANTED.equals(FFM)) {
            return "-D" + PROPERTY + " is " + WANTED + "; it is " + FFM + " or " + JNA;
        }
        return FFM.equals(WANTED) && OBSTACLE != null
                ? "-D" + PROPERTY + "=" + FFM + " can't be had: the foreign memory API " + OBSTACLE
                : null;
    }

    /**
     * Why memory can't be touched by address, and what to do; null where it can.
     *
     * @param who needs it: the message's first words
     */
    public static String problem(String who) {
        String wrong = wrongChoice();
        if (wrong != null) {
            return wrong;
        }
        return Probe.PROBLEM == null ? null : who + Probe.PROBLEM;
    }

    private static String findObstacle() {
        if (Runtime.version().feature() < SINCE) {
            return "came with JDK " + SINCE;
        }
        if (WANTED != null && !WANTED.equals(FFM)) {
            return "is not wanted (-D" + PROPERTY + "=" + WANTED + ")";
        }
        return WANTED == null && isMeantForJna() ? JNAS : obstacleOfSegments();
    }

    private static String obstacleOfSegments() {
        try {
            SegmentMemory.use();
            return null;
        } catch (ExceptionInInitializerError e) {
            return e.getCause() instanceof IllegalCallerException denied
                    ? DENIED + denied.getMessage() + ")"
                    : "does not work here (" + e.getCause() + ")";
        } catch (LinkageError e) {
            return "does not work here (" + e + ")";
        }
    }

    /** Whether somebody who is asked for native access has given it to JNA, and not to this module. */
    private static boolean isMeantForJna() {
        for (Module module : ModuleLayer.boot().modules()) { // findModule would load streams where it is not there
            if (module.getName().equals("com.sun.jna")) {
                return mayCall(module) && !mayCall(MemoryAccess.class.getModule());
            }
        }
        return false;
    }

    /** Whether a module has native access without asking. */
    private static boolean mayCall(Module module) {
        try {
            return (boolean) Module.class.getMethod("isNativeAccessEnabled").invoke(module);
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }

    private static String probe() {
        try {
            NativeMemory.address(ByteBuffer.allocateDirect(1));
            return null;
        } catch (LinkageError e) {
            Throwable cause = e instanceof ExceptionInInitializerError && e.getCause() != null ? e.getCause() : e;
            return " needs memory by address through sun.misc.Unsafe, and this JVM does not allow it ("
                    + cause
                    + "), or through the JDK's foreign memory API, which " + OBSTACLE + ": start it with "
                    + remedy(cause instanceof UnsupportedOperationException);
        }
    }

    private static String remedy(boolean isDenied) {
        String unsafe = isDenied ? "--sun-misc-unsafe-memory-access=allow" : "the module jdk.unsupported";
        if (Runtime.version().feature() < SINCE || WANTED != null) {
            return unsafe;
        }
        return option() + ", or with " + unsafe;
    }
}
