/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.devicecode.DeviceCode;
import io.verbs4j.devicecode.lanes.TextCompilers;
import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.Program;
import io.verbs4j.testsupport.program.ProgramOfPage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The programs in docs/guides/device-code.md do what the page says. */
class DeviceCodePageTest {
    private static final Path PAGE = Path.of("..", "docs", "guides", "device-code.md");

    @TempDir
    Path folder;

    private static String block(String language) throws Exception {
        Matcher found =
                Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(PAGE));
        assertThat(found.find()).as("a block of " + language).isTrue();
        return found.group(1);
    }

    @Test
    void laneInCWritesRemoteMemory() throws Exception {
        Program.assumeOnPath("gcc");
        Path lane = Files.writeString(folder.resolve("lane.c"), block("c"));
        Matcher promise = Pattern.compile("It prints `([^`]+)`").matcher(Files.readString(PAGE));
        assertThat(promise.find()).isTrue();
        List<String> command = new ArrayList<>(Jdk.own().command(List.of("-Dlane=" + lane), ProgramOfPage.class));
        command.addAll(List.of(PAGE.toString(), folder.toString()));
        assertThat(Program.run(command, 120).text().strip()).isEqualTo(promise.group(1));
    }

    @Test
    void laneOnGpuCompiles() throws Exception {
        DeviceCode code = DeviceCode.of(new DeviceRings(cq -> 0).code());
        TextCompilers.cudaIfInstalled(folder, code, block("cuda"));
    }
}
