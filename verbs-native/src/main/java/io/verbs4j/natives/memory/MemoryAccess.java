/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.memory;

import java.nio.ByteBuffer;

/**
 * Selects how {@link NativeMemory} accesses memory by address, and checks whether this JVM permits it. Uses the JDK's
 * foreign memory API if the JVM has it (22 and newer) and allows it, otherwise {@code sun.misc.Unsafe}. The choice is
 * made once, at the first use. A class of its own, because {@link NativeMemory} cannot be used if neither is allowed.
 */
public final class MemoryAccess {
    /**
     * Property that overrides the choice: {@code ffm} for the JDK's foreign function and memory API, {@code jna} for
     * JNA and {@code sun.misc.Unsafe}.
     */
    public static final String PROPERTY = "io.verbs4j.native";

    private static final String FFM = "ffm";
    private static final String JNA = "jna";
    private static final int SINCE = 22;

    private static final String WANTED = System.getProperty(PROPERTY);

    /** Prefix of an obstacle that an option removes. */
    private static final String DENIED = "is not allowed (";

    private static final String JNAS = "is not used, because JNA has native access";
    private static final String OBSTACLE = findObstacle();

    /** A class of its own, because {@link NativeMemory} uses the outer class during its initialization. */
    private static final class Probe {
        static final String PROBLEM = probe();
    }

    private MemoryAccess() {}

    /** {@return whether the JDK's foreign memory API is used; otherwise {@code sun.misc.Unsafe} is} */
    public static boolean isForeign() {
        return OBSTACLE == null;
    }

    /** {@return why the JDK's foreign memory API is not used, as a phrase to follow its name; null if it is used} */
    public static String obstacle() {
        return OBSTACLE;
    }

    /** {@return the option that enables the foreign API if this JVM has it but denies it; otherwise null} */
    public static String grant() {
        return OBSTACLE != null && (OBSTACLE.startsWith(DENIED) || OBSTACLE.equals(JNAS)) ? option() : null;
    }

    private static String option() {
        Module module = MemoryAccess.class.getModule();
        return "--enable-native-access=" + (module.isNamed() ? module.getName() : "ALL-UNNAMED");
    }

    /** {@return what is wrong with the value of {@link #PROPERTY} and what to do about it; null if nothing is} */
    public static String wrongChoice() {
        if (WANTED != null && !WANTED.equals(JNA) && !WANTED.equals(FFM)) {
            return "-D" + PROPERTY + " is " + WANTED + "; it must be " + FFM + " or " + JNA;
        }
        return FFM.equals(WANTED) && OBSTACLE != null
                ? "-D" + PROPERTY + "=" + FFM + " is not possible: the foreign memory API " + OBSTACLE
                : null;
    }

    /**
     * Returns why memory cannot be accessed by address, and what to do about it; null if it can.
     *
     * @param who the user of the memory: the first words of the message
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
            return "is disabled (-D" + PROPERTY + "=" + WANTED + ")";
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

    /** {@return whether native access was granted to JNA but not to this module} */
    private static boolean isMeantForJna() {
        for (Module module : ModuleLayer.boot().modules()) { // findModule would load streams if the module is absent
            if (module.getName().equals("com.sun.jna")) {
                return mayCall(module) && !mayCall(MemoryAccess.class.getModule());
            }
        }
        return false;
    }

    /** {@return whether a module has native access without a warning} */
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
            return " accesses memory by address through sun.misc.Unsafe, which this JVM does not allow ("
                    + cause
                    + "), or through the JDK's foreign memory API, which " + OBSTACLE + ": start the JVM with "
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
