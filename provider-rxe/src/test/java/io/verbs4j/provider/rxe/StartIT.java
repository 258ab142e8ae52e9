/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.provider.rxe.programs.FirstWriteProgram;
import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The start-up cost of a program: a JVM's first message takes as long as loading classes, and creating those for
 * lambdas. Checked by their names and numbers, not by time.
 */
class StartIT {
    /** Allows a few more, and differences between JDKs; a class costs as much as thousands of messages. */
    private static final int MOST_OF_OURS = 326;

    private static final int FIRST_WITH_FOREIGN_MEMORY = 22;

    /** With foreign memory, for which Java itself generates classes. */
    private static final int MOST_MADE_AT_RUN_TIME = 85;

    /**
     * Loaded when a method handle is linked for using a {@code VarHandle}, even one within the JDK: 0.1 to 0.2 ms each.
     */
    private static final String USE_OF_VAR_HANDLE = "java.lang.invoke.VarHandle$AccessDescriptor";

    /** Not needed for the memory of {@code ByteBuffer.allocateDirect}, if the JVM identifies it as such. */
    private static final String LOOK_AT_MAPPINGS = "io.verbs4j.provider.rxe.memory.MappedMemory";

    /** Only needed for packets, other processes, or devices of the kernel, or slow to load. */
    private static final List<String> UNWANTED = List.of(
            "com.sun.jna.",
            "java.lang.ProcessHandle",
            "java.lang.System$Logger",
            "java.net.DatagramSocket",
            "java.security.Provider",
            "java.security.SecureRandom",
            "java.util.Formatter",
            "java.util.concurrent.Executors",
            "java.util.concurrent.ThreadPoolExecutor",
            "java.util.logging.",
            "java.util.regex.Matcher",
            "sun.nio.ch.DatagramChannelImpl",
            "sun.nio.ch.SelectorImpl",
            "io.verbs4j.core.discovery.BrokenJars",
            "io.verbs4j.core.base.Origin",
            "io.verbs4j.natives.call.",
            "io.verbs4j.natives.foreign.ForeignLinker",
            "io.verbs4j.rdmacore.call.",
            "io.verbs4j.rdmacore.NativeContext",
            "io.verbs4j.provider.rxe.link.NioLink",
            "io.verbs4j.provider.rxe.link.Posix",
            "io.verbs4j.provider.rxe.link.UdpLink",
            "io.verbs4j.provider.rxe.packet.RcPath",
            "io.verbs4j.provider.rxe.share.Directory",
            "io.verbs4j.provider.rxe.share.OneCopy",
            "io.verbs4j.provider.rxe.wire.Packet");

    @TempDir
    Path scratch;

    static List<Jdk> jdks() throws IOException {
        return Jdk.all();
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void firstWriteLoadsWhatItNeeds(Jdk jdk) throws Exception {
        List<String> loaded = loaded(jdk);
        assertThat(loaded)
                .contains("io.verbs4j.provider.rxe.local.LocalPath")
                .noneMatch(name -> UNWANTED.stream().anyMatch(name::startsWith))
                .noneMatch(name -> name.startsWith("io.verbs4j.") && name.contains("$$Lambda"));
        assertThat(ofThose(loaded, name -> name.startsWith("io.verbs4j.") && !isMadeAtRunTime(name)))
                .hasSizeLessThan(MOST_OF_OURS);
        boolean foreign = jdk.feature() >= FIRST_WITH_FOREIGN_MEMORY;
        assertThat(ofThose(loaded, StartIT::isMadeAtRunTime))
                .hasSizeLessThanOrEqualTo(foreign ? MOST_MADE_AT_RUN_TIME : 0);
        assertThat(loaded.contains(USE_OF_VAR_HANDLE)).isEqualTo(foreign);
        assertThat(loaded.contains(LOOK_AT_MAPPINGS)).isEqualTo(foreign);
    }

    private static List<String> ofThose(List<String> names, Predicate<String> wanted) {
        return names.stream().filter(wanted).toList();
    }

    /** Hidden classes: those of lambdas, and of the method handles behind them. */
    private static boolean isMadeAtRunTime(String name) {
        return name.contains("/0x");
    }

    /** Returns the classes loaded until the first message arrived; closing things afterwards does not count. */
    private List<String> loaded(Jdk jdk) throws IOException, InterruptedException {
        Path log = scratch.resolve("classes.txt");
        List<String> command =
                jdk.command(List.of("-Xlog:class+load=info:file=" + log + "::filesize=0"), FirstWriteProgram.class);
        assertThat(Program.run(command, 300).text()).isEqualTo("written 42");
        return Files.readAllLines(log).stream()
                .map(line -> line.replaceFirst("^(\\[[^]]*\\])+ *", "").split(" ", 2)[0])
                .takeWhile(name -> !name.equals(FirstWriteProgram.Written.class.getName()))
                .toList();
    }
}
