/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.tools.base.ExitCode;
import io.verbs4j.tools.base.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlotTest {
    /** Writing to a pipe without a reader would block forever, after minutes of measuring. */
    @Test
    void pipeIsRefusedBeforeMeasuring(@TempDir Path folder) throws IOException, InterruptedException {
        Path pipe = folder.resolve("pipe");
        assumeTrue(made(pipe), "no mkfifo on the PATH");
        assertThatThrownBy(() -> Plot.checkWritable(pipe))
                .isInstanceOfSatisfying(
                        ToolException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE))
                .hasMessage("--plot " + pipe + ": is not a regular file");
    }

    @Test
    void newAndExistingFilesAreAccepted(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("plot.svg");
        assertThatCode(() -> Plot.checkWritable(file)).doesNotThrowAnyException();
        Files.writeString(file, "earlier");
        assertThatCode(() -> Plot.checkWritable(file)).doesNotThrowAnyException();
    }

    private static boolean made(Path pipe) throws InterruptedException {
        try {
            return new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
