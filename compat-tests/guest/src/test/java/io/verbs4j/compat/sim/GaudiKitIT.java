/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.compat.guest.TestsMain;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.DeviceSim;
import io.verbs4j.testsupport.program.Program;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs the conformance kit on simulated Gaudis, which support only RDMA writes, under the strict checker. */
@Full
class GaudiKitIT {
    /** The number of rules that need nothing that Gaudi lacks. */
    private static final int HOLD = 88;

    /** The first ability that a rule requires and Gaudi lacks. */
    private static final Set<String> LACKING = Set.of(
            "ATOMIC_WRITE",
            "ATOMICS",
            "COMPLETION_COUNTERS",
            "COMPLETION_EVENTS",
            "COMPLETION_TIMESTAMPS",
            "CROSS_CHANNEL",
            "DEVICE_MEMORY",
            "DMA_BUFFERS",
            "DMA_HINTS",
            "ECE",
            "ETHERNET",
            "FAST_REGISTER",
            "FLUSH",
            "IMMEDIATE",
            "INLINE",
            "MEMORY_WINDOWS",
            "MODIFY_CQ",
            "NOP",
            "ON_DEMAND",
            "PARENT_DOMAIN",
            "QUERY_VALUES",
            "IMPORTS",
            "RATE_LIMIT",
            "RDMA_READ",
            "REG_MR_EX",
            "REGION_KEYS",
            "RELIABLE_DATAGRAMS",
            "RESIZE_CQ",
            "SEND",
            "SEVERAL_CONTEXTS",
            "SRQ",
            "TAG_MATCHING",
            "TYPE_2_WINDOWS",
            "UC",
            "UD",
            "XRC",
            "ZERO_BASED",
            "maxPd");

    private static final Pattern REASON = Pattern.compile(" requires .*"
            + "(?:, which capabilities\\(\\) does not declare; add Capability\\.(\\w+)|: (maxPd) of queryDevice is 1)");

    /** Two devices with wired ports, two devices on networks, and one device whose port reaches itself. */
    @ParameterizedTest
    @CsvSource({"2, 1, hbl_1, upstream", "2, 0, hbl_1, 1.18", "1, 0, hbl_0, 1.21"})
    void everyRuleHolds(String devices, String internal, String peer, String layout)
            throws IOException, InterruptedException {
        DeviceSim.require();
        Program.Result result = DeviceSim.with(
                        "--vendors",
                        "hbl",
                        "--devices",
                        devices,
                        "--internal",
                        internal,
                        "--libhbl",
                        layout,
                        "--thread")
                .jvm("-D" + GaudiKit.PEER + "=" + peer)
                .run(TestsMain.class, 300, GaudiKit.class.getName());
        Map<String, String> broken = new TreeMap<>();
        Set<String> lacking = new TreeSet<>();
        int told = 0;
        int passed = 0;
        for (String line : result.lines()) {
            String[] fields = line.split("\t", -1);
            told += Set.of("pass", "fail", "skip").contains(fields[0]) ? 1 : 0;
            passed += fields[0].equals("pass") ? 1 : 0;
            if (fields[0].equals("fail")) {
                broken.put(fields[1].substring(fields[1].indexOf('.') + 1), line);
            } else if (fields[0].equals("skip")) {
                Matcher reason = REASON.matcher(line);
                assertThat(reason.find()).as("a reason: %s", line).isTrue();
                lacking.add(reason.group(1) == null ? reason.group(2) : reason.group(1));
            }
        }
        assertThat(broken).isEmpty();
        assertThat(lacking)
                .as("the first capability that each skipped rule requires")
                .isEqualTo(LACKING);
        assertThat(told).as("%s", result.lines()).isEqualTo(KitRules.count(GaudiKit.class));
        assertThat(passed).as("rules that hold").isEqualTo(HOLD);
        assertThat(result.lines()).as("violations of the strict checker").noneMatch(l -> l.contains("violation"));
    }
}
