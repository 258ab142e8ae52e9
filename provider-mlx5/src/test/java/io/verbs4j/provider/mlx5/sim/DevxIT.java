/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.provider.mlx5.sim.programs.DevxCasesProgram;
import io.verbs4j.provider.mlx5.sim.programs.DevxEventsProgram;
import io.verbs4j.provider.mlx5.sim.programs.DevxMisuseProgram;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.DeviceSim;
import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.Program;
import io.verbs4j.testsupport.program.ProgramOfPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** DevX on simulated devices, with the installed libmlx5 and those of other releases. */
@Full
class DevxIT {
    /** A libmlx5 that only has the general command, which it passes to the real one. */
    private static final String POOR_LIBRARY = """
            #include <dlfcn.h>
            #include <stddef.h>
            int mlx5dv_devx_general_cmd(void *ctx, const void *in, size_t inlen, void *out, size_t outlen)
            {
                void *real = dlopen("libmlx5.so.1", RTLD_NOW | RTLD_NOLOAD);
                int (*f)(void *, const void *, size_t, void *, size_t) = dlsym(real, "mlx5dv_devx_general_cmd");
                return f(ctx, in, inlen, out, outlen);
            }
            """;

    private static final int SECONDS = 120;

    @TempDir
    Path scratch;

    @BeforeAll
    static void makeTheSimulator() throws IOException, InterruptedException {
        DeviceSim.require();
    }

    static List<Jdk> jdks() throws IOException {
        return Jdk.all();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | commands objects memory memoryEx key verbsObjects eventQueues",
                "33 | commands objects memory key verbsObjects lacking",
                "56 | memoryEx verbsObjects eventQueues",
                "65 | commands memoryEx key eventQueues exports"
            })
    void commandsAndObjectsWork(int release, String cases) throws IOException, InterruptedException {
        sim(release).runCases(DevxCasesProgram.class, SECONDS, cases);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | queries limits waiting events ownQueue",
                "33 | queries events waiting",
                "65 | queries events waiting ownQueue"
            })
    void asynchronousAnswersArrive(int release, String cases) throws IOException, InterruptedException {
        sim(release).runCases(DevxEventsProgram.class, SECONDS, cases);
    }

    @Test
    void missingDevxIsReported() throws IOException, InterruptedException {
        DeviceSim.with("--pump", "--no-devx").runCases(DevxCasesProgram.class, SECONDS, "noDevx");
    }

    @Test
    void missingFunctionsAreReportedByName() throws IOException, InterruptedException {
        Path source = Files.writeString(scratch.resolve("poor.c"), POOR_LIBRARY);
        Path library = scratch.resolve("libpoor.so");
        Program.run(List.of("gcc", "-shared", "-fPIC", "-o", library.toString(), source.toString(), "-ldl"), 60)
                .text();
        DeviceSim.with("--pump").runCases(DevxCasesProgram.class, SECONDS, "almostNothing", library.toString());
    }

    @Test
    void documentedProgramPrintsPromisedOutput() throws IOException, InterruptedException {
        Path page = Path.of("..", "docs", "guides", "devx.md").toAbsolutePath();
        Matcher promise = Pattern.compile("It prints `([^`]+)`").matcher(Files.readString(page));
        assertThat(promise.find()).as("the page has a promise").isTrue();
        String out = DeviceSim.with("--pump")
                .run(ProgramOfPage.class, SECONDS, page.toString(), scratch.toString())
                .text();
        assertThat(out.trim()).isEqualTo(promise.group(1));
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void misuseOnlyThrowsExceptions(Jdk jdk) throws IOException, InterruptedException {
        for (int seed = 1; seed <= 3; seed++) {
            assertThat(DeviceSim.with("--pump", "--quiet")
                            .on(jdk)
                            .run(DevxMisuseProgram.class, SECONDS, "20000", "3", "" + seed)
                            .text())
                    .contains("misuse ");
        }
    }

    /** Release 0 is the installed one. */
    private static DeviceSim sim(int release) throws IOException, InterruptedException {
        DeviceSim devices = DeviceSim.with("--pump");
        return devices.under(release);
    }
}
