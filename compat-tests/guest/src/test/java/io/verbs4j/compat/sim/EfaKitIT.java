/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.compat.guest.TestsMain;
import io.verbs4j.testsupport.Extent;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.DeviceSim;
import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.Program;
import io.verbs4j.testsupport.program.RdmaCore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the conformance kit on a simulated EFA, a device without connections, under the strict checker. */
@Full
class EfaKitIT {
    private static final int REORDER = 8;

    /** The first ability that a rule requires and EFA lacks. */
    private static final Set<String> LACKING = Set.of(
            "RC",
            "UC",
            "XRC",
            "MULTICAST",
            "SENDER_ADDRESS",
            "QUERY_VALUES",
            "IMPORTS",
            "ETHERNET",
            "TAG_MATCHING",
            "DMA_HINTS");

    private static final Pattern REASON =
            Pattern.compile(" requires .*, which capabilities\\(\\) does not declare; add Capability\\.(\\w+)");

    /** Where and how the kit runs. Release 0 is the installed one; with a reorder of 1, requests stay in order. */
    record Place(Jdk jdk, int release, int reorder) {
        @Override
        public String toString() {
            return jdk + ", rdma-core " + (release == 0 ? "installed" : release) + ", reorder " + reorder;
        }

        /** {@return the release whose abilities the installed one is sure to have; later abilities are missing} */
        int atLeast() {
            return release == 0 ? 44 : release;
        }
    }

    /**
     * {@return the installed, the oldest and the newest release on this JDK, and the newest release on the newest JDK;
     * with {@code -Phours}, each release on each JDK and with more reordering}
     */
    static List<Place> places() throws IOException {
        boolean full = Extent.isHours();
        List<Jdk> jdks = Jdk.all();
        List<Place> places = new ArrayList<>();
        places.add(new Place(Jdk.own(), 0, 1));
        for (int release : full ? RdmaCore.RELEASES : List.of(RdmaCore.RELEASES.get(0), RdmaCore.RELEASES.get(3))) {
            places.add(new Place(Jdk.own(), release, REORDER));
        }
        for (Jdk jdk : full ? jdks : jdks.subList(jdks.size() - 1, jdks.size())) {
            for (int release : full ? RdmaCore.RELEASES : RdmaCore.RELEASES.subList(3, 4)) {
                places.add(new Place(jdk, release, 1));
                for (int reorder = 2; full && reorder <= REORDER; reorder++) {
                    places.add(new Place(jdk, release, reorder));
                }
            }
        }
        return places;
    }

    @ParameterizedTest
    @MethodSource("places")
    void everyRuleHolds(Place place) throws IOException, InterruptedException {
        DeviceSim.require();
        DeviceSim sim = DeviceSim.with(
                        "--vendors",
                        "efa",
                        "--efa",
                        "efa1+counters",
                        "--thread",
                        "--quiet",
                        "--reorder",
                        "" + place.reorder)
                .on(place.jdk)
                .jvm("-D" + EfaKit.RELEASE + "=" + place.atLeast());
        Program.Result result = sim.under(place.release).run(TestsMain.class, 300, EfaKit.class.getName());
        Map<String, String> broken = new TreeMap<>();
        Set<String> lacking = new TreeSet<>();
        int passed = 0;
        int skipped = 0;
        for (String line : result.lines()) {
            String[] fields = line.split("\t", -1);
            switch (fields[0]) {
                case "pass" -> passed++;
                case "fail" -> broken.put(fields[1].substring(fields[1].indexOf('.') + 1), line);
                case "skip" -> {
                    Matcher reason = REASON.matcher(line);
                    assertThat(reason.find()).as("a reason: %s", line).isTrue();
                    lacking.add(reason.group(1));
                    skipped++;
                }
                default -> {}
            }
        }
        Set<String> without = new TreeSet<>(LACKING);
        if (place.atLeast() < 65) {
            without.add("COMPLETION_COUNTERS");
        }
        if (place.atLeast() < 64) {
            without.add("DMA_BUFFERS");
        }
        if (place.atLeast() < 59) {
            without.add("PARENT_DOMAIN");
        }
        if (place.atLeast() < 46) {
            without.add("RDMA_WRITE");
        }
        if (place.atLeast() < 44) {
            without.add("DATA_IN_ORDER");
        }
        if (place.atLeast() < 38) {
            without.add("COMPLETION_EVENTS");
        }
        assertThat(broken).as("%s", place).isEmpty();
        assertThat(lacking)
                .as("the first capability that each skipped rule requires")
                .isEqualTo(without);
        assertThat(passed + skipped + broken.size()).as("%s", result.lines()).isEqualTo(KitRules.count(EfaKit.class));
        assertThat(result.lines()).as("violations of the strict checker").noneMatch(l -> l.contains("violation"));
    }
}
