/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.memory;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The processor's store fence, {@code sfence} on x86-64: what was written before it leaves the processor before what is written
 * after it, also where one of the two is in write-combining memory. It costs a fraction of the locked instructions that Java's own
 * fences are, and unlike those no compiler takes it for superfluous.
 *
 * <p>Java has no name for it. But since JDK 14 a buffer over persistent memory is forced by writing back its cache lines, with a
 * store fence behind them (JEP 352), and forcing no bytes of such a buffer is the fence alone. The JVM makes it of one instruction;
 * for the compiler it is a write to native memory, which no other passes. So a page of the JVM's own file is mapped here, read-only, and
 * the buffer is told that it is persistent; nothing of it is ever written back.
 */
public final class StoreFence {
    /** Property: false for programs that want to do without. */
    public static final String PROPERTY = "io.verbs4j.rdmacore.store-fence";

    private static final MappedByteBuffer PERSISTENT = isWanted() ? persistent() : null;
    private static final boolean AVAILABLE = PERSISTENT != null;

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
        PERSISTENT.force(0, 0);
    }

    private static boolean isWanted() {
        return Boolean.parseBoolean(System.getProperty(PROPERTY, "true"))
                && System.getProperty("os.arch").equals("amd64")
                && System.getProperty("java.vm.name").matches(".*(OpenJDK|HotSpot).*Server.*");
    }

    private static MappedByteBuffer persistent() {
        try {
            if (!writesBackOutOfOrder()) {
                return null;
            }
            Field flag = MappedByteBuffer.class.getDeclaredField("isSync");
            MappedByteBuffer buffer;
            try (FileChannel file = FileChannel.open(Path.of("/proc/self/exe"))) {
                buffer = file.map(FileChannel.MapMode.READ_ONLY, 0, 1);
            }
            NativeMemory.set(buffer, flag, true);
            buffer.force(0, 0);
            return buffer;
        } catch (IOException | ReflectiveOperationException | RuntimeException e) {
            return null; // another fence will do
        }
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
