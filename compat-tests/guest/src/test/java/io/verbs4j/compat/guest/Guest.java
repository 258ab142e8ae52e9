/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.compat.built.TestClasses;
import io.verbs4j.testsupport.Extent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A guest booted by {@code compat-tests/guest/run}.
 *
 * @param kernel the script's {@code --kernel}
 */
record Guest(String kernel) {
    /** Whether the long form of these tests is requested. */
    static final boolean FULL = Extent.isHours();

    /** The factor by which timeouts grow, because other programs may use the processors. */
    private static final int ROOM = 5;

    /** One program of each package that the guest needs. */
    private static final List<String> IN_THE_GUEST = List.of("ip", "ibv_devinfo", "rping");

    private static final String MISSING = " here: .ci/run installs what the guest needs";

    private static final Path SCRIPT = Path.of("run").toAbsolutePath();

    /** The exit status and output of a command in the guest. */
    record Result(int status, List<String> lines) {}

    /**
     * Returns the quickest guest of this machine: the user-mode kernel named by VERBS4J_UML, otherwise {@link #qemu}.
     * Skips the test if there is neither.
     */
    static Guest quickest() {
        if (System.getenv("VERBS4J_UML") == null) {
            return qemu();
        }
        assumeTools(IN_THE_GUEST);
        return new Guest("uml");
    }

    /** Returns the distribution's kernel under qemu; skips the test if that cannot run. */
    static Guest qemu() {
        assumeTools(List.of("qemu-system-x86_64", "busybox", "cpio", "depmod", "xz", "apt-get"));
        assumeTools(IN_THE_GUEST);
        return new Guest("qemu");
    }

    private static void assumeTools(List<String> tools) {
        for (String tool : tools) {
            assumeTrue(
                    Stream.of(System.getenv("PATH").split(":"), new String[] {"/usr/sbin", "/sbin"})
                            .flatMap(Stream::of)
                            .anyMatch(folder -> Files.isExecutable(Path.of(folder, tool))),
                    "no " + tool + MISSING);
        }
    }

    /** Whether programs run many times slower than on this machine. */
    boolean isSlow() {
        return kernel.equals("qemu");
    }

    /** {@return the address families to test: both in the long form if programs are quick, otherwise the given one} */
    List<String> families(String one) {
        return FULL && !isSlow() ? List.of("ipv4", "ipv6") : List.of(one);
    }

    /** {@return the path of a file in guest/tests} */
    static String script(String name) {
        return Path.of("tests", name).toAbsolutePath().toString();
    }

    /**
     * {@return the command that starts a JVM in the guest with this JVM's class path: options, a class, and its
     * arguments}
     */
    static List<String> java(String... words) {
        List<String> command = new ArrayList<>(List.of(script("java"), "-cp", TestClasses.path()));
        command.addAll(List.of(words));
        return command;
    }

    /**
     * Runs the C compiler on this machine and requires success; skips the test if the compiler or a header is missing.
     */
    static void compile(List<String> command) {
        assumeTools(command.subList(0, 1));
        if (command.contains("-libverbs")) {
            for (String header : List.of("infiniband/verbs.h", "rdma/rdma_cma.h")) {
                assumeTrue(Files.exists(Path.of("/usr/include", header)), "no " + header + MISSING);
            }
        }
        Result result = execute(command, 600);
        if (result.status() != 0) {
            throw new IllegalStateException(command + ": " + result.lines());
        }
    }

    /**
     * Runs a command in the guest.
     *
     * @param seconds its time limit on an otherwise idle machine
     */
    Result run(String net, int seconds, List<String> command) {
        return run(net, seconds, List.of(), command);
    }

    /** Runs a command in the guest, with folder trees laid over this machine's files. */
    Result run(String net, int seconds, List<Path> layers, List<String> command) {
        return runFor(net, ROOM * seconds, layers, command);
    }

    /** Runs a command in the guest, and kills it after the timeout. */
    Result runFor(String net, int timeoutSeconds, List<Path> layers, List<String> command) {
        List<String> all = new ArrayList<>(
                List.of(SCRIPT.toString(), "--kernel", kernel, "--net", net, "--timeout", "" + timeoutSeconds));
        layers.forEach(layer -> all.addAll(List.of("--layer", layer.toString())));
        all.add("--");
        all.addAll(command);
        // The script enforces the timeout; this limit is for a script that hangs.
        return execute(all, timeoutSeconds + 120L);
    }

    private static Result execute(List<String> all, long timeoutSeconds) {
        try {
            Path output = Files.createTempFile("guest", ".txt");
            try {
                Process process = new ProcessBuilder(all)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
                if (!process.waitFor(timeoutSeconds, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                    throw new IllegalStateException("it did not end: " + all);
                }
                return new Result(
                        process.exitValue(),
                        Files.readString(output).replace("\r", "\n").lines().toList());
            } finally {
                Files.deleteIfExists(output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
