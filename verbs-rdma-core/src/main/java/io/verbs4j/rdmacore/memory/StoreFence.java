/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.memory;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import sun.reflect.ReflectionFactory;

/**
 * The processor's store fence, {@code sfence} on x86-64: what was written before it leaves the processor before what is written
 * after it, also where one of the two is in write-combining memory. It costs a fraction of the locked instructions that Java's own
 * fences are, and unlike those no compiler takes it for superfluous.
 *
 * <p>Java has no name for it, but the JVM has: since JDK 14 a buffer over persistent memory is forced by writing back its cache
 * lines, with a store fence behind them (JEP 352), and the last step is a method of the JDK's own Unsafe. The compiler makes it of
 * one instruction, and takes it for a write to native memory, which no other passes. By a buffer it could be had as well, with two
 * dozen instructions around it.
 */
public final class StoreFence {
    /** Property: false for programs that want to do without. */
    public static final String PROPERTY = "io.verbs4j.rdmacore.store-fence";

    /** Mode of a lookup that may look anywhere. */
    private static final int TRUSTED = -1;

    private static final MethodHandle FENCE = isWanted() ? find() : null;
    private static final boolean AVAILABLE = FENCE != null;

    private StoreFence() {}

    /**
     * Whether there is one: HotSpot on an x86-64 Linux whose processor writes back cache lines in an order of its own
     * ({@code clflushopt} or {@code clwb}); for others the JVM leaves the fence out, as their {@code clflush} needs none.
     */
    public static boolean isAvailable() {
        return AVAILABLE;
    }

    /** The fence; to be called where it {@link #isAvailable}. */
    public static void run() {
        try {
            FENCE.invokeExact();
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean isWanted() {
        return Boolean.parseBoolean(System.getProperty(PROPERTY, "true"))
                && System.getProperty("os.arch").equals("amd64")
                && System.getProperty("java.vm.name").matches(".*(OpenJDK|HotSpot).*Server.*");
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
            fence.invokeExact();
            return fence;
        } catch (Throwable e) {
            return null; // another JDK; another fence will do
        }
    }

    /** One that may look anywhere, which the JDK keeps to itself; by what it has for those that make objects of what they have read. */
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
