/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.provider.mlx5.sim.programs.BoundKeysProgram;
import io.verbs4j.provider.mlx5.sim.programs.KeyElementsProgram;
import io.verbs4j.provider.mlx5.sim.programs.KeyMistakesProgram;
import io.verbs4j.provider.mlx5.sim.programs.MaskedAtomicsProgram;
import io.verbs4j.provider.mlx5.sim.programs.MemoryErrnosProgram;
import io.verbs4j.provider.mlx5.sim.programs.MemoryPlacementProgram;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.DeviceSim;
import io.verbs4j.testsupport.program.Program;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Memory and domains beyond the first levels, under each release: compared with a C program, and by data that arrive.
 */
@Full
class MemoryIT {
    private static final int SECONDS = 120;

    private static final String PLACES =
            "deviceMemory copies zeroBased iova descriptor nothing onDemand implicit domain allocators multicast told";

    /** The cases that depend on the release, for the oldest one. */
    private static final String PLACES_OF_33 = "deviceMemory iova nothing implicit allocators multicast told";

    @TempDir
    static Path scratch;

    private static Path program;
    private static Path keys;

    @BeforeAll
    static void makeTheSimulatorAndTheProgram() throws IOException, InterruptedException {
        DeviceSim.require();
        program = compiled("memory", "-ldl");
        keys = compiled("keys", "-lmlx5", "-I../device-sim/include", "-L../device-sim/target", "-ldevice_sim");
    }

    private static Path compiled(String name, String... options) throws IOException, InterruptedException {
        Path made = scratch.resolve(name);
        List<String> gcc = new ArrayList<>(
                List.of("gcc", "-Wall", "-Werror", "-o", "" + made, "src/test/c/" + name + ".c", "-libverbs"));
        gcc.addAll(List.of(options));
        assertThat(Program.run(gcc, SECONDS).text()).isEmpty();
        return made;
    }

    /** Release 0 is the installed one. */
    private static DeviceSim sim(int release) throws IOException, InterruptedException {
        DeviceSim sim = DeviceSim.with("--pump", "--quiet");
        return sim.under(release);
    }

    /** Compares errnos, sizes, and the requests to an allocator, in order. */
    @ParameterizedTest
    @CsvSource({"0, java", "0, native", "33, java", "33, native", "44, java", "56, native", "65, java", "65, native"})
    void javaGetsSameResultsAsC(int release, String path) throws IOException, InterruptedException {
        DeviceSim sim = sim(release);
        List<String> c = new ArrayList<>(
                sim.run(List.of("" + program, "mlx5_0"), SECONDS).lines());
        List<String> java = sim.run(MemoryErrnosProgram.class, SECONDS, path).lines();
        assertThat(c)
                .contains("alloc 8 8 DBR", "dm.busy 16", "dm.export " + (release == 65 ? 0 : 95))
                .hasSizeGreaterThan(60);
        assertThat(c).contains("fd.good " + (release == 33 ? 95 : 0), "fd.none " + (release == 33 ? 95 : 9));
        // libmlx5 sets no errno here, so it is whatever was there before
        c.replaceAll(line -> line.replaceFirst("noMemory \\d+", "noMemory 12"));
        assertThat(java).isEqualTo(c);
    }

    @ParameterizedTest
    @CsvSource({"0, java", "0, native", "33, java", "33, native", "65, java", "65, native"})
    void dataArriveInEveryKindOfMemory(int release, String path) throws IOException, InterruptedException {
        sim(release).runCases(MemoryPlacementProgram.class, SECONDS, release == 33 ? PLACES_OF_33 : PLACES, path);
    }

    /** Compares bit by bit, for single requests and for the builder. */
    @ParameterizedTest
    @CsvSource({"0, 20000", "33, 2000", "65, 2000", "0, native"})
    void maskedAtomicsMatchModel(int release, String argument) throws IOException, InterruptedException {
        assertThat(sim(release)
                        .run(MaskedAtomicsProgram.class, SECONDS, argument)
                        .text())
                .contains("done");
    }

    /** Masked atomics need the answers of the firmware. */
    @Test
    void maskedAtomicsRequireDevx() throws IOException, InterruptedException {
        assertThat(DeviceSim.with("--pump", "--quiet", "--no-devx")
                        .run(MaskedAtomicsProgram.class, SECONDS, "lacking")
                        .text())
                .contains("done");
    }

    /** Java writes the same bytes as libmlx5 for keys, except where it supports more than libmlx5. */
    @ParameterizedTest
    @ValueSource(ints = {0, 33, 56, 65})
    void fastRegisterWritesSameBytesAsLibmlx5(int release) throws IOException, InterruptedException {
        List<String> c = new ArrayList<>(
                sim(release).run(List.of("" + keys, "mlx5_0"), SECONDS).lines());
        if (release == 33) {
            c.replaceAll(MemoryIT::withKeyInMask);
        }
        List<String> java = sim(release).run(KeyElementsProgram.class, SECONDS).lines().stream()
                .filter(line -> !line.startsWith("libibverbs: Warning")) // about drivers that an old release lacks
                .toList();
        assertThat(java).hasSameSizeAs(c).hasSize(61);
        for (int i = 0; i < c.size(); i++) {
            assertThat(java.get(i)).isEqualTo(c.get(i));
        }
    }

    /** Release 33 does not declare that the lowest bits of the key change, which are 0 before and after. */
    private static String withKeyInMask(String line) {
        int at = line.indexOf(' ') + 1 + 2 * 30;
        return line.startsWith("qp") ? line : line.substring(0, at) + "20" + line.substring(at + 2);
    }

    /** Keys get memory by work requests, are used, and lose it again. */
    @ParameterizedTest
    @CsvSource({
        "0, told again inside by-peer room",
        "33, told again inside",
        "56, again",
        "65, told again inside by-peer room"
    })
    void fastRegisteredKeysGiveAccess(int release, String cases) throws IOException, InterruptedException {
        sim(release).runCases(BoundKeysProgram.class, SECONDS, cases);
    }

    @ParameterizedTest
    @CsvSource({"0, refused states reverted pieces", "33, states", "65, reverted"})
    void fastRegisterMistakesFail(int release, String cases) throws IOException, InterruptedException {
        sim(release).runCases(KeyMistakesProgram.class, SECONDS, cases);
    }

    @Test
    void fastRegisterRequiresDevxAndJavaPath() throws IOException, InterruptedException {
        DeviceSim.with("--pump", "--quiet", "--no-devx").runCases(KeyMistakesProgram.class, SECONDS, "lacking", "java");
        sim(0).runCases(KeyMistakesProgram.class, SECONDS, "lacking", "native");
    }
}
