/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.benchmarks.RequiredPrograms;
import io.verbs4j.benchmarks.harness.Commands;
import io.verbs4j.testsupport.Full;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Runs {@link Jni} with {@code -Xcheck:jni}. */
@Full
class JniIT {
    private static final String ROOT = "benchmarks.root";

    @BeforeEach
    void setRoot() throws Exception {
        RequiredPrograms.assumeLibmlx5();
        System.setProperty(ROOT, Path.of("").toAbsolutePath().getParent().toString());
    }

    @AfterEach
    void clearRoot() {
        System.clearProperty(ROOT);
    }

    @Test
    void simulatorCountsPostsAndJniCheckReportsNothing() throws Exception {
        Simulator.make();
        List<String> command = new ArrayList<>(Simulator.command(Conditions.LOCKED));
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseParallelGC",
                "-Xcheck:jni",
                "-D" + JavaSide.JNI_LIBRARY + "=" + Simulator.jniLibrary(),
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                JniCallsProgram.class.getName()));
        List<String> printed = Commands.output(command).lines().toList();
        assertThat(printed.get(0)).isEqualTo(JniCallsProgram.DONE);
        assertThat(printed).last().isEqualTo("sends " + 2 * Batches.OPERATIONS);
    }
}
