/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.Program;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A JVM that denies {@code sun.misc.Unsafe} has no embedded device, and is told the option that gives it one. */
class UnsafeDeniedTest {
    private static final String OPTION = "--sun-misc-unsafe-memory-access=";

    private static String report(String access) throws Exception {
        Optional<Jdk> newest =
                Jdk.all().stream().filter(jdk -> jdk.feature() >= 24).reduce((a, b) -> b);
        assumeTrue(newest.isPresent(), "no JDK of 24 or newer, which denies it when told so");
        return Program.run(newest.get().command(List.of(OPTION + access), ReportProgram.class), 120)
                .text();
    }

    @Test
    void theProviderIsSetAsideWithTheOptionToGive() throws Exception {
        assertThat(report("deny"))
                .contains("devices []")
                .containsPattern("rxe +3 \\(library 1\\+\\) +- +no")
                .contains("its devices can't be listed: get_device_list: EOPNOTSUPP")
                .contains("start it with " + OPTION + "allow")
                .doesNotContain("defect of the provider");
    }

    @Test
    void theOptionGivesTheDevice() throws Exception {
        assertThat(report("allow")).contains("devices [rxe_emb0");
    }
}
