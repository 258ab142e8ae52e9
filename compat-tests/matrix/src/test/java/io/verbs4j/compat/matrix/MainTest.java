/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The command line. */
class MainTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... args) {
        return Main.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                args);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void helpListsOptions() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("Usage: verbs matrix", "--full", "--provider=JAR", "--json=FILE", "--html=FILE")
                .contains(
                        "--markdown=FILE",
                        "--junit=FILE",
                        "--jdk=HOME",
                        "--native",
                        "--guest=KERNEL",
                        "--schemes",
                        "--only=TEXT");
    }

    @Test
    void unwritableOutputFails() {
        PrintStream full = new PrintStream(new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("No space left on device");
            }
        });
        assertThat(Main.run(full, new PrintStream(err, true, StandardCharsets.UTF_8), "--help"))
                .isEqualTo(2);
        assertThat(err()).contains("verbs matrix: couldn't write to standard output");
    }

    @Test
    void unknownOptionIsRefused() {
        assertThat(run("--fill")).isEqualTo(2);
        assertThat(err()).contains("verbs matrix: Unknown option: '--fill'", "try: verbs matrix --help");
    }

    @Test
    void invalidValuesAreRefused() {
        assertThat(run("--jobs", "0")).isEqualTo(2);
        assertThat(run("--guest", "hurd")).isEqualTo(2);
        assertThat(err()).contains("--guest is hurd; use uml or qemu");
        assertThat(run("--jobs", "many")).isEqualTo(2);
        assertThat(err()).contains("--jobs is 0; it must be at least 1", "Invalid value for option '--jobs'");
    }

    @Test
    void missingLauncherIsReported() {
        assertThat(System.getProperty("verbs4j.frozen")).isNull();
        assertThat(run()).isEqualTo(2);
        assertThat(err()).contains("is not set: run ./verbs matrix");
    }
}
