/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.compat.guest.TestsMain;
import io.verbs4j.compat.kit.Rule;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.DeviceSim;
import io.verbs4j.testsupport.program.Program;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the kit's rules of tag matching on a simulated ConnectX on InfiniBand, under the strict checker. */
@Full
class Mlx5TagsKitIT {
    private static final int RULES = 10;

    /** The rule about options of connections, which the simulated device does not offer. */
    private static final String OPTIONS = "R25.11";

    /** Release 0 is the installed one. */
    @ParameterizedTest
    @ValueSource(ints = {0, 65})
    void rulesOfTagMatchingHold(int release) throws IOException, InterruptedException {
        DeviceSim.require();
        DeviceSim sim = DeviceSim.with("--thread", "--quiet", "--infiniband").jvm("-Dio.verbs4j.mlx5.path=native");
        String[] rules = rules();
        Program.Result result = sim.under(release).run(TestsMain.class, 300, rules);

        assertThat(result.lines().stream().filter(line -> line.startsWith("pass\t")))
                .as("%s", result.lines())
                .hasSize(rules.length)
                .hasSize(RULES);
        assertThat(result.lines()).as("violations of the strict checker").noneMatch(l -> l.contains("violation"));
    }

    private static String[] rules() {
        List<String> rules = new ArrayList<>();
        for (Method method : Mlx5TagsKit.class.getMethods()) {
            Rule rule = method.getAnnotation(Rule.class);
            if (rule != null && rule.id().startsWith("R25.") && !rule.id().equals(OPTIONS)) {
                String rig = method.getParameterTypes()[0].getName();
                rules.add(Mlx5TagsKit.class.getName() + "#" + method.getName() + "(" + rig + ")");
            }
        }
        return rules.toArray(String[]::new);
    }
}
