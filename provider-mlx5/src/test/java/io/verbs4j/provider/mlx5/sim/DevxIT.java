/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** DevX on simulated devices, under libmlx5 of this machine and of other releases. */
class DevxIT {
    /** A libmlx5 that has the general command, and hands it to the real one. */
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

    @TempDir
    Path scratch;

    @BeforeAll
    static void makeTheSimulator(@TempDir Path scratch) throws IOException, InterruptedException {
        Simulator.make(scratch);
    }

    @ParameterizedTest
    @ValueSource(strings = {"commands", "objects", "memory", "memoryEx", "key", "verbsObjects", "eventQueues"})
    void commandsAndObjects(String name) throws IOException, InterruptedException {
        assertThat(on(0, DevxCases.class, name)).contains("done " + name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"queries", "limits", "waiting", "events", "ownQueue"})
    void whatIsAnsweredLater(String name) throws IOException, InterruptedException {
        assertThat(on(0, DevxEvents.class, name)).contains("done " + name);
    }

    @ParameterizedTest
    @CsvSource({
        "33, commands",
        "33, objects",
        "33, memory",
        "33, key",
        "33, verbsObjects",
        "33, lacking",
        "56, memoryEx",
        "56, verbsObjects",
        "56, eventQueues",
        "65, commands",
        "65, memoryEx",
        "65, key",
        "65, eventQueues",
        "65, exports"
    })
    void onOtherReleases(int release, String name) throws IOException, InterruptedException {
        assertThat(on(release, DevxCases.class, name)).contains("done " + name);
    }

    @ParameterizedTest
    @CsvSource({"33, queries", "33, events", "33, waiting", "65, queries", "65, events", "65, waiting", "65, ownQueue"})
    void laterOnOtherReleases(int release, String name) throws IOException, InterruptedException {
        assertThat(on(release, DevxEvents.class, name)).contains("done " + name);
    }

    @Test
    void aDeviceWithoutDevxIsToldAsSuch() throws IOException, InterruptedException {
        assertThat(Simulator.onDevices(scratch, List.of("--pump", "--no-devx"), DevxCases.class, "noDevx"))
                .contains("done noDevx");
    }

    @Test
    void functionsThatTheLibraryLacksAreToldByName() throws IOException, InterruptedException {
        Path source = Files.writeString(scratch.resolve("poor.c"), POOR_LIBRARY);
        Path library = scratch.resolve("libpoor.so");
        Process gcc = new ProcessBuilder("gcc", "-shared", "-fPIC", "-o", library.toString(), source.toString(), "-ldl")
                .inheritIO()
                .start();
        assertThat(gcc.waitFor(60, TimeUnit.SECONDS) && gcc.exitValue() == 0)
                .as("gcc")
                .isTrue();
        assertThat(Simulator.onDevices(
                        scratch, List.of("--pump"), DevxCases.class, "almostNothing", library.toString()))
                .contains("done almostNothing");
    }

    @Test
    void theProgramOfTheDocumentationPrintsWhatIsPromised() throws IOException, InterruptedException {
        Path page = Path.of("..", "docs", "devx.md").toAbsolutePath();
        Matcher promise = Pattern.compile("It prints `([^`]+)`").matcher(Files.readString(page));
        assertThat(promise.find()).as("the page has a promise").isTrue();
        String out = Simulator.onDevices(
                scratch, List.of("--pump"), ProgramOfPage.class, page.toString(), scratch.toString());
        assertThat(out.trim()).isEqualTo(promise.group(1));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void misuseFailsByExceptionsOnly(int seed) throws IOException, InterruptedException {
        assertThat(Simulator.onDevices(
                        scratch, List.of("--pump", "--quiet"), DevxMisuse.class, "20000", "3", "" + seed))
                .contains("misuse ");
    }

    private String on(int release, Class<?> program, String name) throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(List.of("--pump"));
        if (release != 0) {
            options.addAll(List.of(
                    "--release-root", Simulator.release(release, scratch).toString()));
        }
        return Simulator.onDevices(scratch, options, program, name);
    }
}
