/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.call;

/**
 * By what C is called, and memory is read and written by address: the JDK's foreign function and memory API, where the JVM has it (22 and
 * newer) and allows it, else JNA, and {@code sun.misc.Unsafe}. Nothing of the
 * one that is not used is loaded. Decided once, at the first use.
 */
public final class NativeBinding {
    /** Property: {@code ffm} or {@code jna} where the choice is not to be made here. */
    public static final String PROPERTY = "io.verbs4j.native";

    /**
     * Property: {@code false} where verbs of the data path may call Java, which a driver's never do: the foreign function API then calls them
     * as all others, which costs more. Otherwise the JVM ends when one does.
     */
    public static final String CRITICAL = "io.verbs4j.native.critical";

    private static final String FFM = "ffm";
    private static final String JNA = "jna";
    private static final int SINCE = 22;
    /** What an obstacle begins with that an option takes away. */
    static final String DENIED = "native access is denied: ";

    private static final String JNAS = "it is JNA that has native access";

    private static final String WANTED = System.getProperty(PROPERTY);
    private static final String OBSTACLE = obstacle();
    private static final boolean FOREIGN = OBSTACLE == null;

    private NativeBinding() {}

    /** Whether it is the foreign function API. */
    public static boolean isForeign() {
        return FOREIGN;
    }

    /** In words: which it is, and why not the other. */
    public static String describe() {
        return FOREIGN ? "the JDK's foreign function API" : "JNA (" + OBSTACLE + ")";
    }

    /** The option that gives the foreign function and memory API where this JVM has it and denies it; else null. */
    public static String grant() {
        if (OBSTACLE == null || !OBSTACLE.startsWith(DENIED) && !OBSTACLE.equals(JNAS)) {
            return null;
        }
        Module module = NativeBinding.class.getModule();
        return "--enable-native-access=" + (module.isNamed() ? module.getName() : "ALL-UNNAMED");
    }

    /** Why nothing can be called; null where nothing is known that would stop it. */
    static String problem() {
        if (WANTED == null || WANTED.equals(JNA) || WANTED.equals(FFM) && FOREIGN) {
            return null;
        }
        return WANTED.equals(FFM)
                ? "-D" + PROPERTY + "=" + FFM + " can't be had: " + OBSTACLE
                : "-D" + PROPERTY + " is " + WANTED + "; it is " + FFM + " or " + JNA;
    }

    private static String obstacle() {
        if (Runtime.version().feature() < SINCE) {
            return "the foreign function API came with JDK " + SINCE;
        }
        if (WANTED != null && !WANTED.equals(FFM)) {
            return "-D" + PROPERTY + "=" + WANTED;
        }
        return WANTED == null && isMeantForJna() ? JNAS : Foreign.problem();
    }

    /** Whether somebody who is asked for native access has given it to JNA, and not to this module. */
    private static boolean isMeantForJna() {
        return ModuleLayer.boot()
                .findModule("com.sun.jna")
                .map(jna -> Foreign.mayCall(jna) && !Foreign.mayCall(NativeBinding.class.getModule()))
                .orElse(false);
    }

    /** Opens a library, by a path or a name for the loader, for as long as the JVM runs. */
    static LoadedLibrary open(String name) {
        return FOREIGN ? Foreign.open(name) : Jna.open(name);
    }

    /** The C library. */
    static LoadedLibrary libc() {
        return FOREIGN ? Foreign.libc() : Jna.libc();
    }

    /** The error number that this thread's last call has left, of those that {@link NativeFunction#at} keeps it of. */
    static int errno() {
        return FOREIGN ? Foreign.errno() : Jna.errno();
    }

    /** For tests. */
    static void errno(int number) {
        if (FOREIGN) {
            Foreign.errno(number);
        } else {
            Jna.errno(number);
        }
    }

    static NativeFunction checked(long address) {
        return FOREIGN ? Foreign.checked(address) : Jna.bind(address);
    }

    static NativeFunction data(long address) {
        return FOREIGN ? Foreign.data(address) : NativeFunction.at(address);
    }

    /** An address for C; it is valid as long as what is returned besides is reachable. */
    static CallBack.Stub stub(CallBack of) {
        return FOREIGN ? Foreign.stub(of) : Jna.stub(of);
    }
}
