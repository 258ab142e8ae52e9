/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Starts programs on simulated devices, under the machine's own libibverbs and libmlx5 or those of another release. */
final class Simulator {
    private static final Path DEVICE_SIM =
            Path.of("..", "device-sim").toAbsolutePath().normalize();

    private static final Path RDMA_CORE =
            Path.of("..", "compat-tests", "rdma-core").toAbsolutePath().normalize();

    private Simulator() {}

    /** Makes it; skips the test where that needs what is not there. */
    static void make(Path scratch) throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/gcc")), "no gcc here: .ci/run installs what device-sim needs");
        assumeTrue(
                Files.exists(Path.of("/usr/include/infiniband/mlx5dv.h")),
                "no libibverbs-dev here: .ci/run installs what device-sim needs");
        assumeTrue(
                Files.exists(Path.of("/etc/libibverbs.d/mlx5.driver")),
                "no ibverbs-providers here: .ci/run installs what device-sim needs");
        run(scratch, List.of("make", "-s", "-C", DEVICE_SIM.toString()), 120);
    }

    /** The folder of a release of rdma-core, fetched where it is not there; skips the test where it can't be had. */
    static Path release(int release, Path scratch) throws IOException, InterruptedException {
        String folder = System.getenv("VERBS4J_RDMA_CORE");
        Path releases =
                folder == null ? RDMA_CORE.resolve("../target/rdma-core").normalize() : Path.of(folder);
        Path root = releases.resolve("" + release);
        if (!Files.exists(root.resolve("run"))) {
            Process fetch = new ProcessBuilder(RDMA_CORE.resolve("fetch").toString(), "" + release)
                    .redirectErrorStream(true)
                    .redirectOutput(scratch.resolve("fetch").toFile())
                    .start();
            boolean fetched = fetch.waitFor(300, TimeUnit.SECONDS) && fetch.exitValue() == 0;
            assumeTrue(
                    fetched, "rdma-core " + release + " can't be had: " + Files.readString(scratch.resolve("fetch")));
        }
        return root;
    }

    /** Runs a program of this test's class path; what it printed. Its exit status is 0. */
    static String onDevices(Path scratch, List<String> options, Class<?> program, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(DEVICE_SIM.resolve("run").toString());
        command.addAll(options);
        command.addAll(List.of(
                "--",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseParallelGC",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                program.getName()));
        command.addAll(List.of(arguments));
        return run(scratch, command, 120);
    }

    private static String run(Path scratch, List<String> command, int timeoutSeconds)
            throws IOException, InterruptedException {
        Path output = scratch.resolve("output");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (!process.waitFor(timeoutSeconds, TimeUnit.SECONDS)) {
            process.destroy();
        }
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).as("%s ends", command).isTrue();
        String text = Files.readString(output);
        assertThat(process.exitValue()).as("%s: %s", command, text).isZero();
        return text;
    }
}
