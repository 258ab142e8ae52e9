/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.call;

import io.verbs4j.natives.foreign.ForeignLinker;
import io.verbs4j.natives.memory.MemoryAccess;

/**
 * Selects how C is called: through the JDK's foreign function API if the JVM has it (22 and newer) and allows it,
 * otherwise through JNA. Nothing of the other one is loaded. The choice is made once, at the first use, as
 * {@link MemoryAccess} does for memory.
 */
public final class NativeBinding {
    /** Property that overrides the choice: {@code ffm} or {@code jna}. */
    public static final String PROPERTY = MemoryAccess.PROPERTY;

    /**
     * Property: {@code false} if data-path verbs may call back into Java, which those of real drivers never do. The
     * foreign function API then makes ordinary calls for them, which cost more. With the default, a call back ends the
     * JVM.
     */
    public static final String CRITICAL = "io.verbs4j.native.critical";

    private static final String OBSTACLE = obstacle();
    private static final boolean FOREIGN = OBSTACLE == null;

    private NativeBinding() {}

    /** {@return whether the foreign function API is used} */
    public static boolean isForeign() {
        return FOREIGN;
    }

    /** {@return which way is used, in words, and why not the other} */
    public static String describe() {
        return FOREIGN ? "the JDK's foreign function API" : "JNA (" + OBSTACLE + ")";
    }

    /**
     * {@return the option that enables the foreign function and memory API if this JVM has it but denies it; otherwise
     * null}
     */
    public static String grant() {
        return MemoryAccess.grant();
    }

    /** {@return why nothing can be called, or null if no obstacle is known} */
    public static String problem() {
        String wrong = MemoryAccess.wrongChoice();
        return wrong == null && !FOREIGN && "ffm".equals(System.getProperty(PROPERTY))
                ? "-D" + PROPERTY + "=ffm is not possible: " + OBSTACLE
                : wrong;
    }

    private static String obstacle() {
        String obstacle = MemoryAccess.isForeign() ? ForeignLinker.problem() : MemoryAccess.obstacle();
        return obstacle == null ? null : "the foreign function API " + obstacle;
    }

    /** Opens a library, given by a path or by a name for the loader, for the life of the JVM. */
    public static LoadedLibrary open(String name) {
        return FOREIGN ? Foreign.open(name) : Jna.open(name);
    }

    /** {@return the C library} */
    public static LoadedLibrary libc() {
        return FOREIGN ? Foreign.libc() : Jna.libc();
    }

    /**
     * {@return the errno of this thread's last call to a function whose errno is kept, see {@link NativeFunction#at}}
     */
    public static int errno() {
        return FOREIGN ? Foreign.errno() : Jna.errno();
    }

    /** Sets the result of {@link #errno()} for this thread; for tests. */
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

    /** {@return an address for C; it is valid as long as the stub's keeper is reachable} */
    static CallBack.Stub stub(CallBack of) {
        return FOREIGN ? Foreign.stub(of) : Jna.stub(of);
    }
}
