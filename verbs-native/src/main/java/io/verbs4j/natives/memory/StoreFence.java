/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.memory;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import sun.reflect.ReflectionFactory;

/**
 * The processor's store fence, {@code sfence} on x86-64: what was written before it leaves the processor before what is
 * written after it, also where one of the two is in write-combining memory. It costs a fraction of the locked
 * instructions that Java's own fences are, and unlike those no compiler takes it for superfluous.
 *
 * <p>Java has no name for it, but the JVM has: since JDK 14 a buffer over persistent memory is forced by writing back
 * its cache lines, with a store fence behind them (JEP 352), and the last step is a method of the JDK's own Unsafe. The
 * compiler makes it of one instruction, and takes it for a write to native memory, which no other passes. By a buffer
 * it could be had as well, with two dozen instructions around it.
 *
 * <p>What is not compiled so far calls a routine of the JVM. JDK 17 makes it for everybody; later ones have the second
 * compiler make it, some time after they have begun, or never where that compiler is left out ({@code -Xint}, {@code
 * -XX:TieredStopAtLevel=1}), and a call then ends the JVM. So there code that this compiler has made has the fence, and
 * other code a locked instruction. The JDK's own method handles have a method that tells: it is true in such code, and
 * nowhere else.
 */
public final class StoreFence {
    /** Property: false for programs that want to do without. */
    public static final String PROPERTY = "io.verbs4j.rdmacore.store-fence";

    /** Mode of a lookup that may look anywhere. */
    private static final int TRUSTED = -1;

    private static final int ROUTINE_FOR_ALL = 17;
    private static final boolean FOR_ALL = Runtime.version().feature() <= ROUTINE_FOR_ALL;

    private static final MethodHandle FENCE = isWanted() ? find() : null;
    private static final boolean AVAILABLE = FENCE != null;

    /** Where the routine is not for all. */
    private static final class Newer {
        private static final MethodHandle COMPILED = find();
        private static final AtomicInteger LOCKED = new AtomicInteger();

        private Newer() {}

        /**
         * The handle itself, not a method with it: where it is never called before it is compiled, the compiler would
         * leave a method as a call.
         */
        static void fence() {
            try {
                if ((boolean) COMPILED.invokeExact((Object) StoreFence.class)) {
                    FENCE.invokeExact();
                } else {
                    LOCKED.getAndSet(0);
                }
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        }

        private static MethodHandle find() {
            try {
                MethodHandle compiled = lookupOfAll()
                        .findStatic(
                                Class.forName("java.lang.invoke.MethodHandleImpl"),
                                "isCompileConstant",
                                MethodType.methodType(boolean.class, Object.class));
                compiled.invoke((Object) StoreFence.class);
                return compiled;
            } catch (Throwable e) {
                return null; // another JDK
            }
        }
    }

    private StoreFence() {}

    /**
     * Whether there is one: HotSpot on an x86-64 Linux whose processor writes back cache lines in an order of its own
     * ({@code clflushopt} or {@code clwb}); for others the JVM leaves the fence out, as their {@code clflush} needs
     * none.
     */
    public static boolean isAvailable() {
        return AVAILABLE;
    }

    /** The fence; to be called where it {@link #isAvailable}. */
    public static void run() {
        if (FOR_ALL) {
            fence();
        } else {
            Newer.fence();
        }
    }

    /** Small enough for the compiler to take it in wherever it is called. */
    private static void fence() {
        try {
            FENCE.invokeExact();
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean isWanted() {
        return Boolean.parseBoolean(System.getProperty(PROPERTY, "true"))
                && System.getProperty("os.arch").equals("amd64")
                && System.getProperty("java.vm.name").matches(".*(OpenJDK|HotSpot).*Server.*")
                && (FOR_ALL
                        || !System.getProperty("java.vm.version")
                                .contains("jvmci")); // another second compiler, perhaps
    }

    private static MethodHandle find() {
        try {
            if (!writesBackOutOfOrder()) {
                return null;
            }
            Class<?> type = Class.forName("jdk.internal.misc.Unsafe");
            MethodHandles.Lookup lookup = lookupOfAll();
            Object unsafe = lookup.findStatic(type, "getUnsafe", MethodType.methodType(type))
                    .invoke();
            MethodHandle fence = lookup.findSpecial(type, "writebackPostSync0", MethodType.methodType(void.class), type)
                    .bindTo(unsafe);
            if (!FOR_ALL) {
                return Newer.COMPILED != null ? fence : null;
            }
            fence.invokeExact();
            return fence;
        } catch (Throwable e) {
            return null; // another JDK; another fence will do
        }
    }

    /**
     * One that may look anywhere, which the JDK keeps to itself; by what it has for those that make objects of what
     * they have read.
     */
    private static MethodHandles.Lookup lookupOfAll() throws ReflectiveOperationException {
        Constructor<?> constructor =
                MethodHandles.Lookup.class.getDeclaredConstructor(Class.class, Class.class, int.class);
        return (MethodHandles.Lookup) ReflectionFactory.getReflectionFactory()
                .newConstructorForSerialization(MethodHandles.Lookup.class, constructor)
                .newInstance(Object.class, null, TRUSTED);
    }

    private static boolean writesBackOutOfOrder() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("flags"))
                    .findFirst()
                    .filter(flags -> flags.matches(".*\\s(clflushopt|clwb)(\\s.*)?"))
                    .isPresent();
        }
    }
}
