/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sim;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The folder device-sim: making it, and running commands under it. */
final class DeviceSim {
    private static final Path FOLDER =
            Path.of("..", "device-sim").toAbsolutePath().normalize();

    /** What a command left. */
    record Result(int status, List<String> lines) {}

    private DeviceSim() {}

    /** Skips the test where the machine lacks what the simulator is made with and runs under. */
    static void require() {
        assumeTrue(onPath("gcc") && onPath("make"), "no gcc or make here: .ci/run installs what device-sim needs");
        assumeTrue(
                Files.exists(Path.of("/usr/include/infiniband/mlx5dv.h")),
                "no libibverbs-dev here: .ci/run installs what device-sim needs");
        assumeTrue(
                Files.exists(Path.of("/etc/libibverbs.d/mlx5.driver")),
                "no ibverbs-providers here: .ci/run installs what device-sim needs");
    }

    private static boolean onPath(String tool) {
        return Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, tool)));
    }

    /** Runs {@code make} with a target. */
    static Result make(String target, int timeoutSeconds) throws IOException, InterruptedException {
        return run(List.of("make", "-s", "-C", FOLDER.toString(), target), timeoutSeconds);
    }

    /** Runs a command on simulated devices, with options of device-sim/run. */
    static Result command(List<String> options, List<String> command, int timeoutSeconds)
            throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(FOLDER.resolve("run").toString()));
        all.addAll(options);
        all.add("--");
        all.addAll(command);
        return run(all, timeoutSeconds);
    }

    private static Result run(List<String> command, int timeoutSeconds) throws IOException, InterruptedException {
        Path output = Files.createTempFile("device-sim", ".txt");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            if (!process.waitFor(timeoutSeconds, TimeUnit.SECONDS)) {
                process.destroy();
                process.waitFor(10, TimeUnit.SECONDS);
                process.destroyForcibly();
                throw new AssertionError(
                        command + " did not end within " + timeoutSeconds + " s: " + Files.readAllLines(output));
            }
            return new Result(process.exitValue(), Files.readAllLines(output));
        } finally {
            Files.delete(output);
        }
    }
}
