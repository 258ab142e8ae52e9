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
 * The processor's store fence, {@code sfence} on x86-64. Earlier writes leave the processor before later ones, even if
 * one of them is to write-combining memory. It costs a fraction of the locked instructions that Java's own fences
 * compile to, and no compiler removes it as redundant, as happens to those.
 *
 * <p>Java has no method for it, but the JVM has one. Since JDK 14, forcing a buffer over persistent memory writes back
 * its cache lines, followed by a store fence (JEP 352), and that last step is a method of the JDK's internal Unsafe.
 * The compiler turns it into one instruction, and treats it as a write to native memory, which no other write passes.
 * Forcing a buffer would run the fence as well, but with two dozen instructions around it.
 *
 * <p>Code that is not compiled yet calls a routine of the JVM. JDK 17 always generates that routine. Later JDKs leave
 * it to the second compiler, which generates it some time after startup, or never if that compiler is disabled
 * ({@code -Xint}, {@code -XX:TieredStopAtLevel=1}); a call before that ends the JVM. On those JDKs, code that this
 * compiler has compiled runs the fence, and other code runs a locked instruction. An internal method of the JDK's
 * method handles distinguishes the two: it returns true in such compiled code and nowhere else.
 */
public final class StoreFence {
    /** Property: {@code false} disables the fence. */
    public static final String PROPERTY = "io.verbs4j.rdmacore.store-fence";

    /** Mode of a lookup with access to everything. */
    private static final int TRUSTED = -1;

    private static final int ROUTINE_FOR_ALL = 17;
    private static final boolean FOR_ALL = Runtime.version().feature() <= ROUTINE_FOR_ALL;

    private static final MethodHandle FENCE = isWanted() ? find() : null;
    private static final boolean AVAILABLE = FENCE != null;

    /** For JDKs that do not always generate the routine. */
    private static final class Newer {
        private static final MethodHandle COMPILED = find();
        private static final AtomicInteger LOCKED = new AtomicInteger();

        private Newer() {}

        /**
         * Calls the handle directly, not a method that wraps it: the compiler would not inline a method that was never
         * called before this one is compiled.
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
                return null; // not a JDK that has the method
            }
        }
    }

    private StoreFence() {}

    /**
     * Returns whether the fence is available: HotSpot on x86-64 Linux, with a processor that writes back cache lines
     * out of order ({@code clflushopt} or {@code clwb}). On other processors the JVM omits the fence, because
     * {@code clflush} needs none.
     */
    public static boolean isAvailable() {
        return AVAILABLE;
    }

    /** Runs the fence; call only if {@link #isAvailable}. */
    public static void run() {
        if (FOR_ALL) {
            fence();
        } else {
            Newer.fence();
        }
    }

    /** Small enough for the compiler to inline it everywhere. */
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
                                .contains("jvmci")); // possibly another second compiler
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
            return null; // not a JDK that has the method; the caller uses another fence
        }
    }

    /**
     * Creates a lookup with access to everything, which the JDK keeps to itself, through the JDK's support for
     * deserialization.
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
