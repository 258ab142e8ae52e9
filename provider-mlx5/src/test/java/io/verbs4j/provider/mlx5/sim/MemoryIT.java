/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim;

import static org.assertj.core.api.Assertions.assertThat;

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

/** Memory and domains beyond the first levels, under each release: as a C program is answered, and as data arrive. */
class MemoryIT {
    private static final int SECONDS = 120;

    @TempDir
    static Path scratch;

    private static Path program;

    @BeforeAll
    static void makeTheSimulatorAndTheProgram() throws IOException, InterruptedException {
        DeviceSim.require();
        program = scratch.resolve("memory");
        List<String> gcc =
                List.of("gcc", "-Wall", "-Werror", "-o", "" + program, "src/test/c/memory.c", "-libverbs", "-ldl");
        assertThat(Program.run(gcc, SECONDS).text()).isEmpty();
    }

    /** Release 0 is the installed one. */
    private static DeviceSim sim(int release) throws IOException, InterruptedException {
        DeviceSim sim = DeviceSim.with("--pump", "--quiet");
        return release == 0 ? sim : sim.under(release);
    }

    /** Errnos, sizes, and what an allocator is asked for, in order. */
    @ParameterizedTest
    @CsvSource({"0, java", "0, native", "33, java", "33, native", "44, java", "56, native", "65, java", "65, native"})
    void javaIsAnsweredWhatCIs(int release, String path) throws IOException, InterruptedException {
        DeviceSim sim = sim(release);
        List<String> c = new ArrayList<>(
                sim.run(List.of("" + program, "mlx5_0"), SECONDS).lines());
        List<String> java = sim.run(Memories.class, SECONDS, path).lines();
        assertThat(c)
                .contains("alloc 8 8 DBR", "dm.busy 16", "dm.export " + (release == 65 ? 0 : 95))
                .hasSizeGreaterThan(60);
        assertThat(c).contains("fd.good " + (release == 33 ? 95 : 0), "fd.none " + (release == 33 ? 95 : 9));
        // libmlx5 says nothing, or whatever was there before
        c.replaceAll(line -> line.replaceFirst("noMemory \\d+", "noMemory 12"));
        assertThat(java).isEqualTo(c);
    }

    @ParameterizedTest
    @CsvSource({
        "0, deviceMemory",
        "0, copies",
        "0, zeroBased",
        "0, iova",
        "0, descriptor",
        "0, nothing",
        "0, onDemand",
        "0, domain",
        "0, allocators",
        "0, multicast",
        "0, told",
        "33, deviceMemory",
        "33, iova",
        "33, nothing",
        "33, allocators",
        "33, multicast",
        "33, told",
        "65, deviceMemory",
        "65, copies",
        "65, zeroBased",
        "65, iova",
        "65, descriptor",
        "65, nothing",
        "65, onDemand",
        "65, domain",
        "65, allocators",
        "65, multicast",
        "65, told",
    })
    void dataArrive(int release, String name) throws IOException, InterruptedException {
        for (String path : List.of("java", "native")) {
            assertThat(sim(release).run(Placed.class, SECONDS, name, path).text())
                    .contains("done " + name);
        }
    }

    /** Bit by bit, by single requests and by the builder. */
    @ParameterizedTest
    @CsvSource({"0, 20000", "33, 2000", "65, 2000", "0, native"})
    void maskedAtomics(int release, String argument) throws IOException, InterruptedException {
        assertThat(sim(release).run(MaskedAtomics.class, SECONDS, argument).text())
                .contains("done");
    }

    /** Who can't ask the firmware has none. */
    @Test
    void withoutDevxThereAreNoMaskedAtomics() throws IOException, InterruptedException {
        assertThat(DeviceSim.with("--pump", "--quiet", "--no-devx")
                        .run(MaskedAtomics.class, SECONDS, "lacking")
                        .text())
                .contains("done");
    }
}
