/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.Extent;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.Program;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A program's heap is full for a while under traffic: the device's threads survive and keep working. */
@Full
@Tag("attack")
class FullHeapTest {
    private static final int ROUNDS = Extent.isHours() ? 30 : 3;

    @ParameterizedTest
    @EnumSource(value = Way.class, names = "LOCAL", mode = EnumSource.Mode.EXCLUDE)
    void deviceSurvivesFullHeap(Way way) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(Jdk.own().command(List.of(Jdk.OPTIMIZED, "-Xmx48m"), FullHeapProgram.class));
        command.addAll(List.of(String.valueOf(ROUNDS), way.name()));
        Program.Result result = Program.run(command, 180 + 10 * ROUNDS);
        assertThat(result.text()).endsWith("goes on");
    }
}
