/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.testsupport.program;

import static org.junit.jupiter.api.Assertions.assertLinesMatch;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.testsupport.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The folder device-sim: builds the simulator, and runs programs on its devices. Each method that adds something
 * returns a new instance.
 */
public final class DeviceSim {
    private static final Path FOLDER = Checkout.path("device-sim");

    /**
     * A small heap at first: most programs end within a second or two, and spend a fifth of that on pages that are
     * touched once. Not ZGC, which with JNA sometimes passes wrong arguments, whatever is called.
     */
    private static final List<String> HEAP = List.of("-XX:+UseSerialGC", "-Xms24m", "-XX:NewSize=8m");

    /** Property: {@code ffm} or {@code jna}, for the long form of tests that otherwise run in one way. */
    private static final String BINDING = "verbs4j.sim.binding";

    private static final int MAKE_SECONDS = 600;

    private final List<String> options;
    private final List<String> variables;
    private final List<String> jvmOptions;
    private final Jdk jdk;

    private DeviceSim(List<String> options, List<String> variables, List<String> jvmOptions, Jdk jdk) {
        this.options = options;
        this.variables = variables;
        this.jvmOptions = jvmOptions;
        this.jdk = jdk;
    }

    /**
     * Selects devices, by options of {@code device-sim/run}; the program runs on the test's JDK with the installed
     * rdma-core. With {@link #BINDING} it runs on the newest JDK, and calls C in that way.
     */
    public static DeviceSim with(String... options) {
        String binding = System.getProperty(BINDING);
        return binding == null
                ? new DeviceSim(List.of(options), List.of(), HEAP, Jdk.own())
                : new DeviceSim(
                        List.of(options),
                        List.of(),
                        append(HEAP, List.of("-Dio.verbs4j.native=" + binding)),
                        Jdk.newest());
    }

    /**
     * Selects a release of rdma-core, with its own libmlx5 and, if it requires one, its own libc.
     *
     * @param release 0 is the installed one
     */
    public DeviceSim under(int release) throws IOException, InterruptedException {
        if (release == 0) {
            return this;
        }
        String root = RdmaCore.release(release).toString();
        return new DeviceSim(append(options, List.of("--release-root", root)), variables, jvmOptions, jdk);
    }

    /** Selects another JDK. */
    public DeviceSim on(Jdk other) {
        return new DeviceSim(options, variables, jvmOptions, other);
    }

    /** Adds options of the JVM. */
    public DeviceSim jvm(String... more) {
        return new DeviceSim(options, variables, append(jvmOptions, List.of(more)), jdk);
    }

    /** Selects full optimisation: for a program that runs long, or tests the order of stores. */
    public DeviceSim optimized() {
        return jvm(Jdk.OPTIMIZED);
    }

    /** Adds variables to the environment, each {@code NAME=value}. */
    public DeviceSim environment(String... more) {
        return new DeviceSim(options, append(variables, List.of(more)), jvmOptions, jdk);
    }

    /** Runs the main method of a class on the test's class path. */
    public Program.Result run(Class<?> main, int timeoutSeconds, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(jdk.command(jvmOptions, main));
        command.addAll(List.of(arguments));
        return run(command, timeoutSeconds);
    }

    /**
     * Runs cases of a program one after another in one process, because starting one takes longer than most cases. Each
     * must print "done" and its name. The program's first argument has the names, with commas between them.
     *
     * @param timeoutSeconds for each case
     * @param cases the names, with spaces between them
     */
    public void runCases(Class<?> main, int timeoutSeconds, String cases, String... more)
            throws IOException, InterruptedException {
        List<String> names = List.of(cases.split(" ", -1));
        List<String> arguments = append(List.of(String.join(",", names)), List.of(more));
        String text = run(main, names.size() * timeoutSeconds, arguments.toArray(String[]::new))
                .text();
        assertLinesMatch(
                names.stream().map(name -> "done " + name),
                text.lines().filter(line -> line.startsWith("done ")),
                text);
    }

    /** Runs a command. */
    public Program.Result run(List<String> command, int timeoutSeconds) throws IOException, InterruptedException {
        // In front of the script, not after it: with a release that has its own libc, the loader runs the program
        // itself.
        List<String> all = new ArrayList<>(List.of("env"));
        all.addAll(variables);
        all.add(FOLDER.resolve("run").toString());
        all.addAll(options);
        all.add("--");
        all.addAll(command);
        return Program.run(all, timeoutSeconds);
    }

    /** Builds the simulator; skips the test if the machine lacks the tools to build and run it. */
    public static void require() throws IOException, InterruptedException {
        requireTools();
        make("all", MAKE_SECONDS).text();
    }

    /** Skips the test if the machine lacks the tools to build and run the simulator. */
    public static void requireTools() {
        assumeTrue(
                Program.isOnPath("gcc") && Program.isOnPath("make"),
                "no gcc or make here: .ci/run installs what device-sim needs");
        assumeTrue(
                Files.exists(Path.of("/usr/include/infiniband/mlx5dv.h")),
                "no libibverbs-dev here: .ci/run installs what device-sim needs");
        assumeTrue(
                Files.exists(Path.of("/etc/libibverbs.d/mlx5.driver")),
                "no ibverbs-providers here: .ci/run installs what device-sim needs");
    }

    /** Runs {@code make} with a target; one at a time, because tests run in several JVMs. */
    public static Program.Result make(String target, int timeoutSeconds) throws IOException, InterruptedException {
        String lock = FOLDER.resolve("Makefile").toString();
        return Program.run(List.of("flock", lock, "make", "-s", "-C", FOLDER.toString(), target), timeoutSeconds);
    }

    private static List<String> append(List<String> list, List<String> more) {
        return Stream.concat(list.stream(), more.stream()).toList();
    }

    @Override
    public String toString() {
        return jdk + " " + options;
    }
}
