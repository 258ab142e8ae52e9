/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.call;

import io.verbs4j.natives.foreign.ForeignLinker;
import io.verbs4j.natives.memory.MemoryAccess;

/**
 * By what C is called: the JDK's foreign function API, where the JVM has it (22 and newer) and allows it, else JNA.
 * Nothing of the one that is not used is loaded. Decided once, at the first use, as {@link MemoryAccess} decides for
 * memory.
 */
public final class NativeBinding {
    /** Property: {@code ffm} or {@code jna} where the choice is not to be made here. */
    public static final String PROPERTY = MemoryAccess.PROPERTY;

    /**
     * Property: {@code false} where verbs of the data path may call Java, which a driver's never do: the foreign
     * function API then calls them as all others, which costs more. Otherwise the JVM ends when one does.
     */
    public static final String CRITICAL = "io.verbs4j.native.critical";

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
        return MemoryAccess.grant();
    }

    /** Why nothing can be called; null where nothing is known that would stop it. */
    public static String problem() {
        String wrong = MemoryAccess.wrongChoice();
        return wrong == null && !FOREIGN && "ffm".equals(System.getProperty(PROPERTY))
                ? "-D" + PROPERTY + "=ffm can't be had: " + OBSTACLE
                : wrong;
    }

    private static String obstacle() {
        String obstacle = MemoryAccess.isForeign() ? ForeignLinker.problem() : MemoryAccess.obstacle();
        return obstacle == null ? null : "the foreign function API " + obstacle;
    }

    /** Opens a library, by a path or a name for the loader, for as long as the JVM runs. */
    public static LoadedLibrary open(String name) {
        return FOREIGN ? Foreign.open(name) : Jna.open(name);
    }

    /** The C library. */
    public static LoadedLibrary libc() {
        return FOREIGN ? Foreign.libc() : Jna.libc();
    }

    /** The error number that this thread's last call has left, of those that {@link NativeFunction#at} keeps it of. */
    public static int errno() {
        return FOREIGN ? Foreign.errno() : Jna.errno();
    }

    /** Sets what {@link #errno()} answers this thread, for tests. */
    public static void errno(int number) {
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
