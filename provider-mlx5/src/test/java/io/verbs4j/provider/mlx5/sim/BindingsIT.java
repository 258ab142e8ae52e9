/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.natives.call.NativeBinding;
import io.verbs4j.provider.mlx5.sim.programs.BuilderErrorsProgram;
import io.verbs4j.provider.mlx5.sim.programs.DirectVerbsProgram;
import io.verbs4j.provider.mlx5.sim.programs.MemoryPlacementProgram;
import io.verbs4j.provider.mlx5.sim.programs.RawElementBytesProgram;
import io.verbs4j.provider.mlx5.sim.programs.ReadingRulesProgram;
import io.verbs4j.provider.mlx5.sim.programs.RequestBytesProgram;
import io.verbs4j.provider.mlx5.sim.programs.ResetRaceProgram;
import io.verbs4j.provider.mlx5.sim.programs.WindowBytesProgram;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.DeviceSim;
import io.verbs4j.testsupport.program.Jdk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The data path, and the functions that libmlx5 calls back, through the foreign function API and through JNA, on a JDK
 * that has both.
 */
@Full
class BindingsIT {
    private static final int SECONDS = 120;

    @TempDir
    Path scratch;

    @BeforeAll
    static void makeTheSimulator() throws IOException, InterruptedException {
        DeviceSim.require();
    }

    private static String run(String binding, Class<?> main, List<String> arguments, String... options)
            throws IOException, InterruptedException {
        return DeviceSim.with(options)
                .on(Jdk.withForeignMemory())
                .jvm("-D" + NativeBinding.PROPERTY + "=" + binding)
                .run(main, SECONDS, arguments.toArray(String[]::new))
                .text();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ffm", "jna"})
    void javaPostsSameBytesAsLibmlx5(String binding) throws IOException, InterruptedException {
        for (String path : List.of("native", "native-wr")) {
            assertThat(run(binding, RequestBytesProgram.class, List.of("1000", "8", path), "--devices", "2", "--pump"))
                    .contains("same ")
                    .contains("violations 0");
        }
    }

    /** A short version of what {@link SimulatedDeviceIT} runs on one JDK through one binding. */
    @ParameterizedTest
    @ValueSource(strings = {"ffm", "jna"})
    void restOfDataPathWorksOnEachBinding(String binding) throws IOException, InterruptedException {
        String[] two = {"--devices", "2", "--pump"};
        assertThat(run(binding, RequestBytesProgram.class, List.of("500", "9"), two))
                .contains("same ", "violations 0");
        assertThat(run(binding, WindowBytesProgram.class, List.of("200", "7", "native"), two))
                .contains("same windows", "violations 0");
        assertThat(run(binding, RawElementBytesProgram.class, List.of("300", "5"), two))
                .contains("same ", "violations 0");
        assertThat(run(binding, BuilderErrorsProgram.class, List.of(), "--pump", "--strict"))
                .contains("builder ok, violations 0");
        for (String path : List.of("java", "native")) {
            assertThat(run(binding, ResetRaceProgram.class, List.of("100", path), "--pump"))
                    .contains("reset race 100 rounds");
        }
    }

    /** JNA needs a hidden class for each address; calls to libmlx5 by other means need none. */
    @ParameterizedTest
    @CsvSource({"ffm, 0", "jna, 1"})
    void onlyJnaDefinesHiddenClasses(String binding, int least) throws IOException, InterruptedException {
        Path log = scratch.resolve("classes.txt");
        String out = DeviceSim.with("--devices", "2", "--pump")
                .on(Jdk.withForeignMemory())
                .jvm(
                        "-D" + NativeBinding.PROPERTY + "=" + binding,
                        "-Xlog:class+load=info:file=" + log + "::filesize=0")
                .run(RequestBytesProgram.class, SECONDS, "200", "8", "native")
                .text();
        assertThat(out).contains("same ", "violations 0");
        List<String> hidden = Files.readAllLines(log).stream()
                .filter(line -> line.contains(" io.verbs4j.") && line.contains("/0x"))
                .filter(line -> !line.contains("$$Lambda") && !line.contains("$$InjectedInvoker")) // classes of the JDK
                .toList();
        assertThat(hidden).hasSizeGreaterThanOrEqualTo(least);
        assertThat(hidden.isEmpty()).as("hidden: %s", hidden).isEqualTo(least == 0);
    }

    /** Includes that reading allocates nothing. */
    @ParameterizedTest
    @ValueSource(strings = {"ffm", "jna"})
    void readingRulesHold(String binding) throws IOException, InterruptedException {
        for (String path : List.of("java", "native")) {
            assertThat(run(binding, ReadingRulesProgram.class, List.of(path, "false"), "--pump", "--quiet"))
                    .contains("reading rules hold");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ffm", "jna"})
    void libmlx5UsesAllocatorsOfPrograms(String binding) throws IOException, InterruptedException {
        for (String path : List.of("java", "native")) {
            assertThat(run(binding, MemoryPlacementProgram.class, List.of("allocators", path), "--pump", "--quiet"))
                    .contains("done allocators");
        }
        for (String name : List.of("allocators", "brokenAllocators")) {
            assertThat(run(binding, DirectVerbsProgram.class, List.of(name, "java"), "--pump"))
                    .contains("done " + name);
        }
    }
}
