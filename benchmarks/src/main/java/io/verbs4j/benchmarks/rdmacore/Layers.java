/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import io.verbs4j.benchmarks.harness.Commands;
import io.verbs4j.benchmarks.harness.Comparison;
import io.verbs4j.benchmarks.harness.Metric;
import io.verbs4j.benchmarks.harness.Rounds;
import io.verbs4j.benchmarks.harness.Side;
import io.verbs4j.benchmarks.harness.Unit;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The cost of the layers above the ring of {@code provider-mlx5}: a write posted through the whole API, against the
 * same post to the same ring under the same lock.
 */
public final class Layers implements Comparison {
    /** The application's call site, and which other implementations the JVM has used. */
    enum Site {
        /** {@code postSend(wr)}; one implementation has posted. */
        ONE_PROVIDER(1, false),

        /** {@code postSend(wr, badWr)}; one implementation has posted. */
        ONE_PROVIDER_BADWR(1, false),

        /** {@code postSend(wr)}; four implementations have posted, from separate call sites. */
        FOUR_PROVIDERS(4, true),

        /** {@code postSend(wr, badWr)}; four implementations have posted, from separate call sites. */
        FOUR_PROVIDERS_BADWR(4, true),

        /** {@code postSend(wr, badWr)}; four implementations have posted from this same call site. */
        SHARED_SITE(4, true),

        /**
         * One call site that alternates between four implementations: this provider and three copies of it. The rings
         * are posted to in turn.
         */
        FOUR_COPIES_IN_TURN(4, false);

        private final int implementations;
        private final boolean otherProviders;

        Site(int implementations, boolean otherProviders) {
            this.implementations = implementations;
            this.otherProviders = otherProviders;
        }

        /** Returns the number of queue pair implementations that post. */
        int implementations() {
            return implementations;
        }

        /** Returns whether other providers have posted. */
        boolean hasOtherProviders() {
            return otherProviders;
        }

        private String what(Conditions conditions) {
            return name().toLowerCase(Locale.ROOT).replace('_', '-') + conditions.suffix();
        }
    }

    @Override
    public void run(Rounds rounds) throws Exception {
        Simulator.make();
        Simulator.program(); // has the best messages about what is missing
        for (Site site : Site.values()) {
            compare(rounds, site, Conditions.SINGLE);
            if (site != Site.FOUR_COPIES_IN_TURN) {
                compare(rounds, site, Conditions.LOCKED);
            }
        }
    }

    private static void compare(Rounds rounds, Site site, Conditions conditions) throws Exception {
        String what = site.what(conditions);
        OneJvm jvm = new OneJvm(site, conditions);
        rounds.compare(
                jvm.side(0),
                jvm.side(1),
                new Metric(what + "-vs-ring", Unit.NANOSECONDS),
                new Metric(what + "-garbage", Unit.BYTES_PER_OPERATION));
    }

    /**
     * Measures both sides at once: the first one asked in a round starts the JVM, and the other uses the result of that
     * run.
     */
    private static final class OneJvm {
        private final Site site;
        private final Conditions conditions;
        private double[] told;

        OneJvm(Site site, Conditions conditions) {
            this.site = site;
            this.conditions = conditions;
        }

        Side side(int which) {
            return new Side() {
                @Override
                public boolean needsWarmUp() {
                    return false; // the program warms up by itself
                }

                @Override
                public double[] measure(double seconds) throws IOException {
                    double[] values = told;
                    if (values == null) {
                        values = run(seconds);
                        told = values;
                    } else {
                        told = null;
                    }
                    return new double[] {values[which], values[which + 2]};
                }
            };
        }

        private double[] run(double seconds) throws IOException {
            List<String> command = new ArrayList<>(Simulator.command(conditions));
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
            command.addAll(conditions.arguments());
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), LayersProgram.class.getName()));
            command.addAll(List.of(site.name(), Double.toString(seconds)));
            String text = Commands.output(command);
            return Stream.of(text.split(" ", -1))
                    .mapToDouble(Double::parseDouble)
                    .toArray();
        }
    }
}
