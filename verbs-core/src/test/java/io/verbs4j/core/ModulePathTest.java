/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.Patience;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Program, library and provider as modules, in a JVM of their own. */
@Timeout(Patience.TEST_SECONDS)
class ModulePathTest {
    @TempDir
    Path directory;

    @Test
    void providerModuleIsFound() throws IOException, InterruptedException {
        String libraries = Compiled.header() + File.pathSeparator + Compiled.locationOf(Verbs.class);
        Compiled provider = new Compiled(directory.resolve("provider"));
        provider.source("""
                module toy.provider { requires io.verbs4j.spi;
                  provides io.verbs4j.spi.VerbsProvider with broken.Toy; }""");
        provider.provider(
                "Toy", "public List<? extends Device> devices() { return List.of(new Device(\"toy0\", 1, 1, 0) {}); }");
        provider.compile("-p", libraries);
        Compiled program = new Compiled(directory.resolve("program"));
        program.source("module toy.program { requires io.verbs4j.core; }");
        program.source("""
                package program; public class Main { public static void main(String[] args) {
                  System.out.println(io.verbs4j.core.Verbs.devices() + " " + Main.class.getModule().isNamed());
                  System.out.println(io.verbs4j.core.Verbs.report()); } }""");
        program.compile("-p", libraries);

        Process java = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-p",
                        String.join(
                                File.pathSeparator,
                                libraries,
                                provider.classes().toString(),
                                program.classes().toString()),
                        "-m",
                        "toy.program/program.Main")
                .redirectErrorStream(true)
                .start();
        String output = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(java.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(output)
                .startsWith("[toy0] true")
                .contains("broken.Toy", "yes", provider.classes().toString());
        assertThat(java.exitValue()).isZero();
    }
}
