/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.compat.guest.TestsMain;
import io.verbs4j.testsupport.program.DeviceSim;
import io.verbs4j.testsupport.program.Program;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The conformance kit on a simulated ConnectX, by Java's data path and by libmlx5's, with the strict checker looking on. */
class Mlx5KitIT {
    private static final int RULES = 94;

    /** What the simulator, or libmlx5, has not: for both paths. */
    private static final Map<String, String> BOTH = Map.of(
            "r1007Overrun", "the simulated device waits for room where a real one overruns its queue",
            "r1105OpenQp",
                    "libmlx5 ends the process when a queue pair that was opened so is closed, so the provider refuses",
            "r710LocalWrite",
                    "a small message comes in the completion, and who polls copies it: no right is asked for");

    /** What the provider says it has not. */
    private static final Map<String, String> JAVA = Map.of(
            "r1008Resize", "a queue that Java polls can't be resized",
            "r1101Arrives", "such a queue serves one shared receive queue of type XRC",
            "r1102Numbers", "such a queue serves one shared receive queue of type XRC");

    @ParameterizedTest
    @ValueSource(strings = {"java", "native"})
    void everyRuleButTheNamedOnes(String path) throws IOException, InterruptedException {
        DeviceSim.require();
        Program.Result result = DeviceSim.with("--thread", "--quiet")
                .jvm("-Dio.verbs4j.mlx5.path=" + path)
                .run(TestsMain.class, 300, Mlx5Kit.class.getName());
        Map<String, String> expected = new TreeMap<>(BOTH);
        if (path.equals("java")) {
            expected.putAll(JAVA);
        }
        Map<String, String> broken = new TreeMap<>();
        int passed = 0;
        for (String line : result.lines()) {
            String[] fields = line.split("\t", -1);
            if (fields[0].equals("pass")) {
                passed++;
            } else if (fields.length > 3) {
                broken.put(fields[1].substring(fields[1].indexOf('.') + 1), line);
            }
        }
        assertThat(broken.keySet()).as("%s: %s", path, broken.values()).isEqualTo(expected.keySet());
        assertThat(passed).as("%s", result.lines()).isEqualTo(RULES - expected.size());
        assertThat(result.lines()).as("violations of the strict checker").noneMatch(l -> l.contains("violation"));
    }
}
