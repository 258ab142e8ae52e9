/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.start;

import io.verbs4j.benchmarks.harness.Commands;
import io.verbs4j.benchmarks.harness.Comparison;
import io.verbs4j.benchmarks.harness.Metric;
import io.verbs4j.benchmarks.harness.Rounds;
import io.verbs4j.benchmarks.harness.Side;
import io.verbs4j.benchmarks.harness.Unit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The first message in a newly started JVM, and the lifetime of that JVM: our device, opened, with two connected queue
 * pairs, against a pair of sockets. Each measurement starts a separate JVM. Both sides run once with default settings,
 * and once with an archive of classes (JEP 350), as {@code ./verbs} has one.
 *
 * <p>Both sides have the class path of a program that depends on the library and the embedded device, and then one with
 * the other providers as well, each of which is found, created and asked for its devices. Neither class path contains
 * what only the comparisons need.
 */
public final class FirstMessage implements Comparison {
    private static final double NANOS_PER_MICRO = 1000;

    /**
     * One class of each jar that the program needs. They are named by strings because this module does not compile with
     * all of the providers.
     */
    private static final List<String> OF_PROGRAM = List.of(
            FirstWrite.class.getName(),
            "io.verbs4j.Device",
            "io.verbs4j.core.Verbs",
            "io.verbs4j.provider.rxe.RxeProvider",
            "io.verbs4j.natives.memory.NativeMemory",
            "io.verbs4j.rdmacore.NativeProvider",
            "com.sun.jna.Native");

    private static final List<String> OF_OTHER_PROVIDERS =
            List.of("io.verbs4j.provider.mlx5.Mlx5Provider", "io.verbs4j.provider.efa.EfaProvider");

    @Override
    public void run(Rounds rounds) throws Exception {
        Path work = Files.createTempDirectory("verbs4j-start");
        try {
            compare(rounds, "", OF_PROGRAM, Files.createDirectory(work.resolve("program")));
            List<String> all = new ArrayList<>(OF_PROGRAM);
            all.addAll(OF_OTHER_PROVIDERS);
            compare(rounds, "-all-providers", all, Files.createDirectory(work.resolve("all")));
        } finally {
            Jars.delete(work);
        }
    }

    private static void compare(Rounds rounds, String which, List<String> classes, Path work) throws Exception {
        String path = Jars.of(classes, work);
        compare(rounds, which, command(path, FirstWrite.class), command(path, FirstSocket.class));
        compare(
                rounds,
                which + "-archive",
                archived(path, FirstWrite.class, work.resolve("ours.jsa")),
                archived(path, FirstSocket.class, work.resolve("theirs.jsa")));
    }

    private static void compare(Rounds rounds, String how, List<String> ours, List<String> theirs) throws Exception {
        rounds.compare(
                new Started(ours),
                new Started(theirs),
                new Metric("first-message" + how, Unit.MICROSECONDS),
                new Metric("whole-process" + how, Unit.MICROSECONDS));
    }

    private static List<String> command(String path, Class<?> program, String... options) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(options));
        command.addAll(List.of("-XX:+UseSerialGC", "-cp", path, program.getName()));
        return command;
    }

    private static List<String> archived(String path, Class<?> program, Path archive) throws IOException {
        String[] quiet = {"-Xlog:disable", "-Xlog:all=error:stderr"};
        Commands.output(command(path, program, "-XX:ArchiveClassesAtExit=" + archive, quiet[0], quiet[1]));
        return command(path, program, "-XX:SharedArchiveFile=" + archive, quiet[0], quiet[1]);
    }

    /** A JVM that prints how long something took. */
    private record Started(List<String> command) implements Side {
        @Override
        public double[] measure(double seconds) throws IOException {
            long begin = System.nanoTime();
            double told = Double.parseDouble(Commands.output(command));
            return new double[] {told, (System.nanoTime() - begin) / NANOS_PER_MICRO};
        }

        @Override
        public boolean needsWarmUp() {
            return false;
        }
    }
}
