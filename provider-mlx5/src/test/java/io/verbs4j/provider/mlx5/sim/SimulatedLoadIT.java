/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.provider.mlx5.sim.programs.ConcurrentClosingProgram;
import io.verbs4j.provider.mlx5.sim.programs.FaultsProgram;
import io.verbs4j.provider.mlx5.sim.programs.ManyQueuePairsProgram;
import io.verbs4j.provider.mlx5.sim.programs.ResizesProgram;
import io.verbs4j.provider.mlx5.sim.programs.SoakProgram;
import io.verbs4j.provider.mlx5.sim.programs.ThreadsProgram;
import io.verbs4j.testsupport.Extent;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.DeviceSim;
import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.RdmaCore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Long programs on simulated devices: on the test's own JDK with the installed rdma-core, and on the newest JDK with
 * the newest release. {@code -Phours} runs them on each JDK with each release, on both data paths.
 */
@Full
class SimulatedLoadIT {
    private static final boolean FULL = Extent.isHours();
    private static final long SOAK = Long.getLong("verbs4j.sim.soak", FULL ? 2_000_000 : 300_000);
    private static final int SECONDS = 300;
    private static final int MIN_SOAK_A_SECOND = 10_000;

    /** Where and how a program runs; release 0 is the installed one. */
    record Place(Jdk jdk, int release, String path) {
        DeviceSim with(String... options) throws IOException, InterruptedException {
            DeviceSim sim = DeviceSim.with(options).on(jdk).optimized();
            return sim.under(release);
        }

        @Override
        public String toString() {
            return jdk + ", rdma-core " + (release == 0 ? "installed" : release) + ", " + path;
        }
    }

    @BeforeAll
    static void makeTheSimulator() throws IOException, InterruptedException {
        DeviceSim.require();
    }

    static List<Place> places() throws IOException {
        List<Jdk> jdks = Jdk.all();
        List<Place> places = new ArrayList<>();
        places.add(new Place(Jdk.own(), 0, "java"));
        for (Jdk jdk : FULL ? jdks : jdks.subList(jdks.size() - 1, jdks.size())) {
            for (int release : FULL ? RdmaCore.RELEASES : RdmaCore.RELEASES.subList(3, 4)) {
                places.add(new Place(jdk, release, "java"));
                if (FULL) {
                    places.add(new Place(jdk, release, "native"));
                }
            }
        }
        return places;
    }

    /** For tests that compare both paths by themselves. */
    static List<Place> javaPlaces() throws IOException {
        return places().stream().filter(p -> p.path.equals("java")).toList();
    }

    /** Covers errors of each kind, retries, wrong keys and bounds, asynchronous events and reordered datagrams. */
    @ParameterizedTest
    @MethodSource("javaPlaces")
    void bothPathsReportSameErrors(Place place) throws IOException, InterruptedException {
        String out = place.with("--devices", "2", "--pump", "--strict", "--quiet")
                .run(FaultsProgram.class, SECONDS)
                .text();
        assertThat(out).contains("the same by both paths");
    }

    @ParameterizedTest
    @MethodSource("javaPlaces")
    void randomRequestsPassTheChecker(Place place) throws IOException, InterruptedException {
        int seconds = (int) (SECONDS + SOAK / MIN_SOAK_A_SECOND);
        String out = place.with("--pump", "--strict")
                .run(SoakProgram.class, seconds, "" + SOAK, "1")
                .text();
        assertThat(out).contains("soak " + SOAK + " requests, " + SOAK + " seen by the device, 0 violations");
    }

    @ParameterizedTest
    @MethodSource("places")
    void thousandsOfQueuePairsWork(Place place) throws IOException, InterruptedException {
        String waves = FULL ? "8" : "3";
        String out = place.with("--pump", "--strict")
                .run(ManyQueuePairsProgram.class, SECONDS, "4000", waves, "1", place.path)
                .text();
        assertThat(out).contains("many 4000 queue pairs at a time");
    }

    @ParameterizedTest
    @MethodSource("places")
    void resizedCompletionQueuesKeepOrder(Place place) throws IOException, InterruptedException {
        String out = place.with("--pump", "--strict")
                .run(ResizesProgram.class, SECONDS, "5000", place.path)
                .text();
        assertThat(out).contains("completions in order");
    }

    @ParameterizedTest
    @MethodSource("places")
    void concurrentPostsAndPollsPassTheChecker(Place place) throws IOException, InterruptedException {
        String posts = FULL ? "40000" : "10000";
        String out = place.with("--thread", "--strict")
                .run(ThreadsProgram.class, SECONDS, posts, place.path)
                .text();
        assertThat(out).contains("0 violations");
    }

    @ParameterizedTest
    @MethodSource("places")
    void closingWhileOthersWorkSucceeds(Place place) throws IOException, InterruptedException {
        String rounds = FULL ? "300" : "50";
        // Before rdma-core 41, libmlx5 wrote behind its ring if the ring ended within a window's bind.
        boolean windows = place.path.equals("java") || place.release == 0 || place.release >= 41;
        String out = place.with("--thread", "--strict", "--quiet")
                .jvm("-Dwindows=" + windows)
                .run(ConcurrentClosingProgram.class, SECONDS, rounds, "1", place.path)
                .text();
        assertThat(out).contains("closing " + rounds + " rounds");
    }
}
