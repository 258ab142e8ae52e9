/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import io.verbs4j.benchmarks.harness.Commands;
import io.verbs4j.benchmarks.harness.MissingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Builds the programs that the comparisons need from the sources of the project: the simulated devices and the C side.
 */
final class Simulator {
    /** Property with the project's folder; {@code benchmarks/run} sets it. */
    private static final String ROOT = "benchmarks.root";

    private Simulator() {}

    /** Returns the project's folder. */
    static Path root() {
        String root = System.getProperty(ROOT);
        if (root == null) {
            throw new IllegalStateException("-D" + ROOT + "=FOLDER is not given; use benchmarks/run");
        }
        return Path.of(root);
    }

    /** Returns the prefix that makes a command run on simulated devices, which work only when they are told to. */
    static List<String> command(Conditions conditions) {
        List<String> command = new ArrayList<>(List.of("env"));
        command.addAll(conditions.environment());
        command.addAll(List.of(root().resolve("device-sim/run").toString(), "--pump", "--quiet"));
        if (conditions.isEfa()) {
            command.addAll(List.of("--vendors", "efa", "--efa", "efa1", "--release-root", libefa().toString()));
        }
        command.add("--");
        return command;
    }

    /** Builds the simulator; does nothing if it is up to date. Takes a lock, as tests run in several JVMs. */
    static void make() throws IOException, MissingException {
        Path folder = root().resolve("device-sim");
        if (!Files.isExecutable(folder.resolve("run"))) {
            throw new MissingException(
                    "there is no " + folder + ", which simulates the device; use a complete checkout");
        }
        Commands.require("make", "make");
        Commands.require("gcc", "gcc");
        String lock = folder.resolve("Makefile").toString();
        Commands.output(List.of("flock", lock, "make", "-s", "-C", folder.toString(), "all"));
    }

    /** Builds the C program, and tries it. */
    static Path program() throws IOException, MissingException {
        Path program = compile("verb_cost", "verb_cost.c");
        tryOut(program, Conditions.LOCKED);
        return program;
    }

    /** Returns the folder of the rdma-core release whose libefa can report where queues are. */
    private static Path libefa() {
        String shared = System.getenv("VERBS4J_RDMA_CORE");
        Path releases = shared != null ? Path.of(shared) : root().resolve("compat-tests/target/rdma-core");
        return releases.resolve("65");
    }

    /** Builds the C program for EFA, and tries it. */
    static Path efaProgram() throws IOException, MissingException {
        if (!Files.exists(libefa().resolve("packages"))) {
            throw new MissingException(
                    "there is no rdma-core 65 in " + libefa() + "; get it with compat-tests/rdma-core/fetch 65");
        }
        Path program = compile("efa_cost", "verb_cost.c", "-DEFA");
        tryOut(program, Conditions.EFA);
        return program;
    }

    /** Builds the library of {@link Jni}. */
    static Path jniLibrary() throws IOException, MissingException {
        Path headers = Path.of(System.getProperty("java.home"), "include");
        if (!Files.exists(headers.resolve("jni.h"))) {
            throw new MissingException(
                    "there is no " + headers + "/jni.h; run with a JDK (Debian: openjdk-17-jdk-headless)");
        }
        return compile(
                "libjni_verbs.so", "jni_verbs.c", "-shared", "-fPIC", "-I" + headers, "-I" + headers.resolve("linux"));
    }

    private static Path compile(String name, String main, String... options) throws IOException, MissingException {
        Path sources = root().resolve("benchmarks/src/main/c");
        Path made = root().resolve("benchmarks/target/c").resolve(name);
        Files.createDirectories(made.getParent());
        Commands.require("gcc", "gcc");
        requireHeaders();
        Path work =
                Files.createTempFile(made.getParent(), name, ""); // another process may be running the existing file
        List<String> command = new ArrayList<>(List.of("gcc", "-std=c11", "-D_GNU_SOURCE", "-O2", "-Wall", "-Wextra"));
        command.addAll(List.of("-Werror", "-o", work.toString()));
        command.addAll(List.of(options));
        for (String source : List.of(main, "verbs.c", "pair.c", "builder.c")) {
            command.add(sources.resolve(source).toString());
        }
        boolean efa = List.of(options).contains("-DEFA");
        command.addAll(List.of(efa ? "-lefa" : "-lmlx5", "-libverbs", "-ldl"));
        Commands.output(command);
        Files.move(work, made, StandardCopyOption.ATOMIC_MOVE);
        return made;
    }

    /** Checks for headers by calling gcc, which knows where they are. */
    private static void requireHeaders() throws IOException, MissingException {
        try {
            Commands.output(
                    List.of("gcc", "-E", "-include", "infiniband/mlx5dv.h", "-o", "/dev/null", "-xc", "/dev/null"));
        } catch (IllegalStateException e) {
            throw new MissingException(
                    "infiniband/mlx5dv.h is missing; install libibverbs' headers (Debian: apt-get install"
                            + " libibverbs-dev)");
        }
    }

    /** Runs the program briefly, as it has the best messages about what else is missing. */
    private static void tryOut(Path program, Conditions conditions) throws IOException, MissingException {
        try {
            new CSide(program, "poll_cq-empty", conditions).measure(0.001);
        } catch (IllegalStateException e) {
            throw new MissingException(e.getMessage());
        }
    }
}
