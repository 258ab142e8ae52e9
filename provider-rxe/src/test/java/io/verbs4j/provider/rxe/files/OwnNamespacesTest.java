/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.provider.rxe.files.programs.OpenDeviceProgram;
import io.verbs4j.testsupport.Patience;
import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.Namespaces;
import java.io.BufferedReader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Containers that share a network, each with a process 1. */
@Timeout(Patience.TEST_SECONDS)
class OwnNamespacesTest {
    private static final int SPAN = 1 << 22;

    @Test
    void processesOutsideContainersKeepTheirNumbers() {
        assertThat(OwnNamespaces.number(77, "4026531836")).isEqualTo(77);
        assertThat(OwnNamespaces.number(77, "0")).as("without namespaces").isEqualTo(77);
    }

    @Test
    void containersHaveDistinctNumbers() {
        Set<Long> all = new HashSet<>();
        for (int container = 0; container < 100; container++) {
            for (long pid = 1; pid <= 3; pid++) {
                long number = OwnNamespaces.number(pid, Long.toString(4_026_532_000L + container));
                assertThat(number).isNotNegative();
                all.add(number % SPAN);
            }
        }
        assertThat(all).hasSizeGreaterThan(297);
    }

    @Test
    void firstProcessesOfContainersHaveDistinctAddresses() throws Exception {
        List<Process> containers = new ArrayList<>();
        try {
            Set<String> gids = new HashSet<>();
            for (int i = 0; i < 2; i++) {
                List<String> command = new ArrayList<>(Namespaces.unshared(
                        "--map-root-user", "--pid", "--fork", "--kill-child", "--mount-proc", "--mount"));
                // both are process 1, which names the JVM's file of performance data
                command.addAll(Jdk.own().command(List.of("-XX:-UsePerfData"), OpenDeviceProgram.class));
                Process process = new ProcessBuilder(command)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
                containers.add(process);
                BufferedReader said = process.inputReader();
                assertThat(said.readLine()).isEqualTo("process 1");
                gids.add(said.readLine());
            }
            assertThat(gids).hasSize(2).allMatch(gid -> gid.startsWith("::ffff:127."));
        } finally {
            containers.forEach(Process::destroyForcibly);
        }
    }
}
