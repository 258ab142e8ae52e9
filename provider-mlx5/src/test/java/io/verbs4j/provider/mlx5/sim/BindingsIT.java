/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.rdmacore.call.NativeBinding;
import io.verbs4j.testsupport.program.DeviceSim;
import io.verbs4j.testsupport.program.Jdk;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The data path, and what libmlx5 calls back, on a JDK that has the foreign function API: by that, and by JNA. */
class BindingsIT {
    private static final int SECONDS = 120;
    private static final int FOREIGN_SINCE = 22;

    @BeforeAll
    static void makeTheSimulator() throws IOException, InterruptedException {
        DeviceSim.require();
    }

    private static String run(String binding, Class<?> main, List<String> arguments, String... options)
            throws IOException, InterruptedException {
        List<Jdk> all = Jdk.all();
        Jdk newest = all.get(all.size() - 1);
        assumeTrue(newest.feature() >= FOREIGN_SINCE, "no JDK of " + FOREIGN_SINCE + " or newer here");
        return DeviceSim.with(options)
                .on(newest)
                .jvm("-D" + NativeBinding.PROPERTY + "=" + binding)
                .run(main, SECONDS, arguments.toArray(String[]::new))
                .text();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ffm", "jna"})
    void theSameBytesArePosted(String binding) throws IOException, InterruptedException {
        for (String path : List.of("native", "native-wr")) {
            assertThat(run(binding, SameBytes.class, List.of("1000", "8", path), "--devices", "2", "--pump"))
                    .contains("same ")
                    .contains("violations 0");
        }
    }

    /** Among them that reading allocates nothing. */
    @ParameterizedTest
    @ValueSource(strings = {"ffm", "jna"})
    void theRulesOfReadingHold(String binding) throws IOException, InterruptedException {
        for (String path : List.of("java", "native")) {
            assertThat(run(binding, ReadingRules.class, List.of(path, "false"), "--pump", "--quiet"))
                    .contains("reading rules hold");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ffm", "jna"})
    void libmlx5GetsMemoryFromPrograms(String binding) throws IOException, InterruptedException {
        for (String path : List.of("java", "native")) {
            assertThat(run(binding, Placed.class, List.of("allocators", path), "--pump", "--quiet"))
                    .contains("done allocators");
        }
        for (String name : List.of("allocators", "brokenAllocators")) {
            assertThat(run(binding, DirectVerbs.class, List.of(name, "java"), "--pump"))
                    .contains("done " + name);
        }
    }
}
