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
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the conformance kit on a simulated ConnectX, by the data paths of Java and of libmlx5, under the strict checker.
 */
@Full
class Mlx5KitIT {
    /** The rules that fail because of the simulator or libmlx5. */
    private static final Map<String, String> BROKEN = Map.of(
            "r1007Overrun", "the simulated device waits for room where a real one overruns its queue",
            "r1105OpenQp",
                    "libmlx5 ends the process when a queue pair that was opened so is closed, so the provider refuses");

    /** The rules about capabilities that are not declared to the kit. */
    private static final Set<String> SKIPPED = Set.of(
            "r1306Rate",
            "r1602AtomicWrite",
            "r1603AtomicWriteRefused",
            "r1604Flush",
            "r1605FlushRefused",
            "r1606Persistent",
            "r1709ReadWithInvalidate",
            "r1710ReadRefused",
            "r2118AtomicWrite",
            "r2119Flush",
            "r2601Messages",
            "r2602Writes",
            "r2603Reads",
            "r2604Failures",
            "r2605Set",
            "r2606Refused");

    /** More skipped rules if libmlx5 posts: it has no call for these, and takes batches as lists. */
    private static final Set<String> SKIPPED_IN_C = Set.of(
            "r1607Nop",
            "r1608CompareAndSwap",
            "r1609FetchAndAdd",
            "r1610Refused",
            "r1701Registers",
            "r1702Free",
            "r1703States",
            "r1704Rights",
            "r1705Pieces",
            "r1706Posted",
            "r1707Order",
            "r1708Closed",
            "r2001Waits",
            "r2002Enables",
            "r2003Receives",
            "r2004Chain",
            "r2005Refused",
            "r2006Ends",
            "r2114Keys",
            "r2117Masked",
            "r2120Nop",
            "r2121Channel",
            "r2123AllOrNothing");

    /** Matches the rules about unordered reliable datagrams, which ConnectX lacks. */
    private static final Pattern OF_RELIABLE_DATAGRAMS = Pattern.compile("r22[0-9][0-9]");

    /** Matches the rules about tag matching, which needs InfiniBand: see {@link Mlx5TagsKitIT}. */
    private static final Pattern OF_TAGS = Pattern.compile("r25[0-9][0-9]");

    /** Matches the rules about buffers and hints, which only the newest release here supports. */
    private static final Pattern OF_BUFFERS = Pattern.compile("r27[0-9][0-9]");

    private static final int NEWEST = 65;

    /** Matches the rules about memory windows, which are not declared if libmlx5 is too old to bind. */
    private static final Pattern OF_WINDOWS = Pattern.compile("r711|r14[0-9][0-9]|r2113");

    /** More failing rules if Java polls. If libmlx5 polls, no small message arrives in the completion. */
    private static final Map<String, String> BROKEN_IN_JAVA = Map.of(
            "r710LocalWrite",
            "a small message comes in the completion, and who polls copies it: no right is asked for");

    /** The rules that fail only with rdma-core 33: the kit declares what later releases can do. */
    private static final Map<String, String> BROKEN_IN_33 = Map.of(
            "r213Supported", "ibv_query_qp_data_in_order came with rdma-core 36",
            "r1304Order", "ibv_query_qp_data_in_order came with rdma-core 36",
            "r1801Told", "ibv_reg_dmabuf_mr came with rdma-core 34",
            "r1803Descriptor", "ibv_reg_dmabuf_mr came with rdma-core 34",
            "r2306DeviceMemory", "ibv_import_dm came with rdma-core 35");

    /** The rules that fail if the device has windows that the kit does not declare. */
    private static final Map<String, String> BROKEN_WITHOUT_WINDOWS =
            Map.of("r215Rights", "regions get the right MW_BIND all the same");

    /** Where and how the kit runs; release 0 is the installed one. */
    record Place(Jdk jdk, int release, String path) {
        @Override
        public String toString() {
            return jdk + ", rdma-core " + (release == 0 ? "installed" : release) + ", " + path;
        }
    }

    /**
     * {@return both paths on this JDK with the installed rdma-core, and Java's path on the newest JDK and release; with
     * {@code -Phours}, both paths on each JDK with each release}
     */
    static List<Place> places() throws IOException {
        boolean full = Extent.isHours();
        List<Jdk> jdks = Jdk.all();
        List<Place> places = new ArrayList<>();
        places.add(new Place(Jdk.own(), 0, "java"));
        places.add(new Place(Jdk.own(), 0, "native"));
        for (Jdk jdk : full ? jdks : jdks.subList(jdks.size() - 1, jdks.size())) {
            for (int release : full ? RdmaCore.RELEASES : RdmaCore.RELEASES.subList(3, 4)) {
                places.add(new Place(jdk, release, "java"));
                if (full) {
                    places.add(new Place(jdk, release, "native"));
                }
            }
        }
        return places;
    }

    @ParameterizedTest
    @MethodSource("places")
    void everyRuleButNamedOnesHolds(Place place) throws IOException, InterruptedException {
        DeviceSim.require();
        String path = place.path;
        boolean windows = place.release != 33 || path.equals("java");
        DeviceSim sim = DeviceSim.with("--thread", "--quiet", "--ports", "2")
                .on(place.jdk)
                .jvm("-Dio.verbs4j.mlx5.path=" + path)
                .jvm("-D" + Mlx5Kit.WINDOWS + "=" + windows)
                .jvm("-D" + Mlx5Kit.RELEASE + "=" + place.release);
        Program.Result result = sim.under(place.release).run(TestsMain.class, 300, Mlx5Kit.class.getName());
        Map<String, String> broken = new TreeMap<>();
        int passed = 0;
        for (String line : result.lines()) {
            String[] fields = line.split("\t", -1);
            if (fields[0].equals("pass")) {
                passed++;
            } else if (fields.length > 3) {
                broken.put(fields[1].substring(fields[1].indexOf('.') + 1), line);
            }
        }
        Set<String> expected = new TreeSet<>(BROKEN.keySet());
        expected.addAll(SKIPPED);
        expected.addAll(path.equals("java") ? BROKEN_IN_JAVA.keySet() : SKIPPED_IN_C);
        if (place.release == 33) {
            expected.addAll(BROKEN_IN_33.keySet());
        }
        skipped(result, OF_RELIABLE_DATAGRAMS, expected);
        skipped(result, OF_TAGS, expected);
        if (place.release < NEWEST) {
            skipped(result, OF_BUFFERS, expected);
        }
        if (!windows) {
            skipped(result, OF_WINDOWS, expected);
            expected.addAll(BROKEN_WITHOUT_WINDOWS.keySet());
        }
        assertThat(broken.keySet()).as("%s: %s", place, broken.values()).isEqualTo(expected);
        assertThat(passed).as("%s", result.lines()).isEqualTo(KitRules.count(Mlx5Kit.class) - expected.size());
        assertThat(result.lines()).as("violations of the strict checker").noneMatch(l -> l.contains("violation"));
    }

    /** Adds the rules of one kind, which must be skipped. */
    private static void skipped(Program.Result result, Pattern kind, Set<String> names) {
        for (String line : result.lines()) {
            String[] fields = line.split("\t", -1);
            if (fields[0].equals("skip")) {
                String name = fields[1].substring(fields[1].indexOf('.') + 1);
                if (kind.matcher(name).lookingAt()) {
                    names.add(name);
                }
            }
        }
    }
}
