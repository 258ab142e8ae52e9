/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.Patience;
import io.verbs4j.testsupport.program.Jdk;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Packets between two devices are lost, repeated, reordered, truncated and damaged: every entry is done once. */
class BulkLossIT {
    private static final int COUNT = 150;

    /** Does random transfers in a JVM of its own, because faults are set for a whole JVM. */
    static final class Chaos {
        private Chaos() {}

        public static void main(String... args) {
            Strategy strategy = Strategy.valueOf(args[0]);
            for (long seed = 1; seed <= 4; seed++) {
                try (Pair pair =
                        new Pair(strategy, config -> config.withSlots(16).withPieceBytes(16384))) {
                    ChaosSide a = new ChaosSide(pair.a, pair.aRing, pair.toB, COUNT, seed * 2);
                    ChaosSide b = new ChaosSide(pair.b, pair.bRing, pair.toA, COUNT, seed * 2 + 1);
                    a.other = b;
                    b.other = a;
                    long start = System.nanoTime();
                    while (!a.isDone() || !b.isDone()) {
                        assertThat(System.nanoTime() - start)
                                .as("a: %s, b: %s", a, b)
                                .isLessThan(Patience.NANOS);
                        a.step();
                        b.step();
                    }
                    a.assertCanaries();
                    b.assertCanaries();
                    System.out.println("done, " + pair.toA.reconnections() + " reconnections");
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"BY_TCP", "DATAGRAMS"})
    void entriesAreDoneOnceOverLossyLink(Strategy strategy) throws Exception {
        List<String> options = List.of(
                "-Dio.verbs4j.rxe.devices=2",
                "-Dio.verbs4j.rxe.onecopy=false",
                "-Dio.verbs4j.rxe.faults=drop=0.03,duplicate=0.03,delay=0.03,reorder=0.05,truncate=0.01,corrupt=0.01,"
                        + "seed=7");
        List<String> command = new ArrayList<>(Jdk.own().command(options, Chaos.class));
        command.add(strategy.name());
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(said).isEqualTo("done, 0 reconnections\n".repeat(4));
            assertThat(process.exitValue()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }
}
