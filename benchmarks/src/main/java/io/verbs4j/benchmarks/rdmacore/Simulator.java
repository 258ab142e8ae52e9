/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import io.verbs4j.benchmarks.harness.MissingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Programs that the comparison needs, made of the sources beside it: the simulated devices and the C side. */
final class Simulator {
    /** Property with the folder of the project; {@code benchmarks/run} sets it. */
    private static final String ROOT = "benchmarks.root";

    private Simulator() {}

    private static Path root() {
        String root = System.getProperty(ROOT);
        if (root == null) {
            throw new IllegalStateException("-D" + ROOT + "=FOLDER is not given; use benchmarks/run");
        }
        return Path.of(root);
    }

    /**
     * What a command is put behind so that it runs on simulated devices, which work when they are told to only.
     *
     * @param singleThreaded whether libmlx5 is to do without locks
     */
    static List<String> command(boolean singleThreaded) {
        return List.of(
                "env",
                "MLX5_SINGLE_THREADED=" + (singleThreaded ? 1 : 0),
                root().resolve("device-sim/run").toString(),
                "--pump",
                "--quiet",
                "--");
    }

    /** Makes the simulator; does nothing where it is as new as its sources. */
    static void make() throws IOException, MissingException {
        Path folder = root().resolve("device-sim");
        if (!Files.isExecutable(folder.resolve("run"))) {
            throw new MissingException(
                    "there is no " + folder + ", which simulates the device; take the whole project");
        }
        Commands.require("make", "make");
        Commands.require("gcc", "gcc");
        Commands.output(List.of("make", "-s", "-C", folder.toString(), "all"));
    }

    /** Makes the C program, and tries it. */
    static Path program() throws IOException, MissingException {
        Path sources = root().resolve("benchmarks/src/main/c");
        Path program = root().resolve("benchmarks/target/c/verb_cost");
        Files.createDirectories(program.getParent());
        Commands.require("gcc", "gcc");
        requireHeaders();
        Commands.output(List.of(
                "gcc",
                "-std=c11",
                "-D_GNU_SOURCE",
                "-O2",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-o",
                program.toString(),
                sources.resolve("verb_cost.c").toString(),
                sources.resolve("pair.c").toString(),
                sources.resolve("builder.c").toString(),
                "-libverbs",
                "-ldl"));
        tryOut(program);
        return program;
    }

    /** Asked of gcc, which knows where headers are. */
    private static void requireHeaders() throws IOException, MissingException {
        try {
            Commands.output(
                    List.of("gcc", "-E", "-include", "infiniband/verbs.h", "-o", "/dev/null", "-xc", "/dev/null"));
        } catch (IllegalStateException e) {
            throw new MissingException(
                    "infiniband/verbs.h is missing; install libibverbs' headers (Debian: apt-get install libibverbs-dev)");
        }
    }

    /** It tells best what else is missing. */
    private static void tryOut(Path program) throws IOException, MissingException {
        try {
            new CSide(program, "poll_cq-empty", false).measure(0.001);
        } catch (IllegalStateException e) {
            throw new MissingException(e.getMessage());
        }
    }
}
