/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.cm;

import io.verbs4j.benchmarks.harness.Commands;
import io.verbs4j.benchmarks.harness.Comparison;
import io.verbs4j.benchmarks.harness.Metric;
import io.verbs4j.benchmarks.harness.Rounds;
import io.verbs4j.benchmarks.harness.Side;
import io.verbs4j.benchmarks.harness.Unit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Opens and closes connections, one after another: the connection manager in Java between two processes with embedded
 * devices, against the kernel's between two rdma_rxe devices under librdmacm.
 *
 * <p>Both run in the guest, which each measurement boots with one processor. With two, a user-mode kernel lets one
 * thread of a process run at a time while the others spin, which costs a JVM most of its time and a C program nothing.
 * The first connections of a JVM, for which nothing is compiled yet, have a metric of their own.
 */
public final class ConnectionRate implements Comparison {
    private static final int LEAST = 20;

    private static final int PER_SECOND = 1000;

    private static final Path TESTS = Path.of(System.getProperty("benchmarks.root", ".."), "compat-tests", "guest")
            .toAbsolutePath();

    @Override
    public void run(Rounds rounds) throws Exception {
        if (System.getenv("VERBS4J_UML") == null) {
            Commands.require("qemu-system-x86_64", "qemu-system-x86");
        }
        Commands.require("gcc", "gcc");
        Commands.require("rdma", "iproute2");
        Path work = Files.createTempDirectory("verbs4j-cm");
        try {
            Path program = work.resolve("cmpeer");
            Commands.output(List.of(
                    "gcc",
                    "-O2",
                    "-o",
                    program.toString(),
                    TESTS.resolve("tests").resolve("cmpeer.c").toString(),
                    "-lrdmacm",
                    "-libverbs"));
            rounds.compare(
                    new InGuest("verbs4j", System.getProperty("java.class.path")),
                    new InGuest("kernel", program.toString()),
                    new Metric("connect-disconnect", Unit.CONNECTIONS_PER_SECOND),
                    new Metric("connect-disconnect-first", Unit.CONNECTIONS_PER_SECOND));
            Files.delete(program);
        } finally {
            Files.deleteIfExists(work);
        }
    }

    /** The values that a guest reports: the rate after warm-up, and that of the first connections. */
    private record InGuest(String side, String program) implements Side {
        @Override
        public double[] measure(double seconds) throws IOException {
            int count = Math.max(LEAST, (int) (seconds * PER_SECOND));
            String told = Commands.output(List.of(
                    TESTS.resolve("run").toString(),
                    "--net",
                    "pair",
                    "--",
                    TESTS.resolve("tests").resolve("cmrate").toString(),
                    side,
                    program,
                    Integer.toString(count)));
            return told.lines()
                    .filter(line -> line.matches(side + " [0-9]+ [0-9]+"))
                    .map(line -> line.split(" ", -1))
                    .map(words -> new double[] {Double.parseDouble(words[1]), Double.parseDouble(words[2])})
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException(told));
        }

        @Override
        public boolean needsWarmUp() {
            return false; // each guest is new
        }
    }
}
