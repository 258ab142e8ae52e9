/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.provider.mlx5.sim.programs.SteeringArgumentsProgram;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.DeviceSim;
import io.verbs4j.testsupport.program.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the arguments of steering as C receives them, field by field, in C's own structures. */
@Full
class SteeringArgumentsIT {
    private static final Path SOURCE =
            Path.of("src", "test", "c", "fakesteering.c").toAbsolutePath();
    private static final int SECONDS = 120;
    private static final String MASK = "1e:ff 1f:ff 54:ff 55:ff 56:ff";

    @TempDir
    Path scratch;

    @BeforeAll
    static void makeTheSimulator() throws IOException, InterruptedException {
        DeviceSim.require();
    }

    private List<String> run(DeviceSim devices, String part, String... defines)
            throws IOException, InterruptedException {
        Path library = scratch.resolve("libfake.so");
        List<String> gcc = new ArrayList<>(List.of("gcc", "-shared", "-fPIC", "-w", "-o", "" + library, "" + SOURCE));
        gcc.addAll(List.of(defines));
        gcc.add("-ldl");
        Program.run(gcc, 60).text();
        return devices.run(SteeringArgumentsProgram.class, SECONDS, part, library.toString())
                .text()
                .lines()
                .filter(line -> !line.startsWith("device-sim:"))
                .toList();
    }

    private List<String> run(String part, String... defines) throws IOException, InterruptedException {
        return run(DeviceSim.with("--pump", "--devices", "2"), part, defines);
    }

    private static List<String> matchers(String several, String size) {
        return List.of(
                "matcher1 = type 0 flags 4 priority 65534 criteria 3 mask 3 tables 6 port 3, 128 bytes " + MASK,
                "matcher2 = type 2 flags 0 priority 0 criteria ff mask 0 tables 0 port 0, 128 bytes " + MASK,
                "flow of matcher1, 128 bytes 1e:12 1f:34, qp of type 8 of " + size,
                "flow of matcher2, 128 bytes " + MASK + ", drop of " + size,
                several);
    }

    /** Uses the function that is passed the length of an element. */
    @Test
    void matchersReachNewerLibraries() throws IOException, InterruptedException {
        List<String> expected = new ArrayList<>(matchers(
                "flow of matcher1, 128 bytes 1e:12 1f:34, tag abcdef 6 devx1 offset 0 5 devx1 offset 0 of 24", "24"));
        expected.addAll(List.of(
                "several: EEXIST",
                "flow of matcher1, 128 bytes 1e:12 1f:34, 8 devx1 offset 7 miss of 24",
                "several: EEXIST",
                "destroy matcher2",
                "destroy matcher1",
                "done matchers"));
        assertThat(run("matchers", "-DWIDE")).containsExactlyElementsOf(expected);
    }

    @Test
    void matchersReachOlderLibraries() throws IOException, InterruptedException {
        List<String> expected = new ArrayList<>(matchers(
                "flow of matcher1, 128 bytes 1e:12 1f:34, tag abcdef 6 devx1 offset 0 5 devx1 offset 0 of 16", "16"));
        expected.addAll(List.of(
                "several: EEXIST",
                "several: EOPNOTSUPP", // a counter by its offset
                "destroy matcher2",
                "destroy matcher1",
                "done matchers"));
        assertThat(run("matchers")).containsExactlyElementsOf(expected);
    }

    /** Releases 60 to 62 read longer elements but do not say so. */
    @Test
    void severalActionsFailIfElementLengthIsUnknown() throws IOException, InterruptedException {
        Path wrapper = scratch.resolve("libwrapper.so");
        Path source = Files.writeString(scratch.resolve("wrapper.c"), "void verbs_register_driver_59(void) {}\n");
        Program.run(
                        List.of(
                                "gcc",
                                "-shared",
                                "-fPIC",
                                "-o",
                                "" + wrapper,
                                "" + source,
                                "-Wl,--no-as-needed",
                                "-libverbs"),
                        60)
                .text();
        DeviceSim devices =
                DeviceSim.with("--pump", "--devices", "2").jvm("-Dio.verbs4j.rdmacore.libibverbs=" + wrapper);
        List<String> lines = run(devices, "matchers");
        assertThat(lines)
                .contains("flow of matcher1, 128 bytes 1e:12 1f:34, qp of type 8 of 16")
                .noneMatch(line -> line.contains("tag"))
                .endsWith(
                        "several: EOPNOTSUPP",
                        "several: EOPNOTSUPP",
                        "destroy matcher2",
                        "destroy matcher1",
                        "done matchers");
    }

    @Test
    void flowActionsAndAnchorsReachLibrary() throws IOException, InterruptedException {
        assertThat(run("flowActions"))
                .containsExactly(
                        "esp spi 11 seq 12 pad 13 flags 5 limit 1099511627776; keymat 0 of 56: iv 1122334455667788"
                                + " algo 0 salt 99 icv 16 key 16 bytes 0:01 f:02; replay 1 of 4: 64; encap 0 mask 1"
                                + " esn 55; mask 1 flags 1",
                        "esp spi 0 seq 0 pad 0 flags 0 limit 0; keymat 0 of 56: iv 0 algo 0 salt 0 icv 8 key 32 bytes ;"
                                + " replay 0 of 0: 0; encap 0 mask 0 esn 0; mask 0 flags 0",
                        "modify header 8 bytes 0:10 1:0c 3:10 6:43 7:21 tables 1",
                        "reformat type 3, 3 bytes 0:07 1:08 2:09 tables 2",
                        "reformat type 0, 0 bytes none tables 0",
                        "anchor1 = tables 3 priority 65533 mask 0",
                        "destroy anchor1",
                        "done flowActions");
    }

    @Test
    void domainsReachLibrary() throws IOException, InterruptedException {
        assertThat(run("domains"))
                .containsExactly(
                        "domain1 = type 1 of mlx5_0",
                        "sync domain1 5",
                        "sync domain1 8",
                        "reclaim domain1 1",
                        "reclaim domain1 0",
                        "duplicates domain1 0",
                        "duplicates domain1 1",
                        "table1 = domain1 level 4294967295",
                        "rules1 = table1 priority 65534 criteria 1, 128 bytes " + MASK,
                        "layout rules1 flags 2 log 20",
                        "action1 = drop",
                        "action2 = tag ffffffff",
                        "rule1 = rules1, 128 bytes " + MASK + ": action2 action1",
                        "rule2 = rules1, 128 bytes 1e:12 1f:34:",
                        "dumped dump of domain1",
                        "dumped dump of table1",
                        "dumped dump of rules1",
                        "dumped dump of rule1",
                        "dumped dump of rule2",
                        "domain2 = type 2 of mlx5_0",
                        "no end of rule1",
                        "destroy rule1",
                        "destroy domain2",
                        "destroy rule2",
                        "destroy action2",
                        "destroy action1",
                        "destroy rules1",
                        "destroy table1",
                        "destroy domain1",
                        "done domains");
    }

    @Test
    void actionsReachLibrary() throws IOException, InterruptedException {
        assertThat(run("actions"))
                .containsExactly(
                        "domain1 = type 0 of mlx5_0",
                        "domain2 = type 2 of mlx5_0",
                        "table1 = domain1 level 1",
                        "action1 = qp of type 8",
                        "action2 = to table1",
                        "action3 = to root table1 priority 65533",
                        "destroy action3",
                        "action4 = tir devx1",
                        "destroy action4",
                        "action5 = miss",
                        "destroy action5",
                        "action6 = tag abcdef",
                        "destroy action6",
                        "action7 = pop",
                        "destroy action7",
                        "action8 = counter devx1 4294967294",
                        "destroy action8",
                        "action9 = push domain1 81006123",
                        "destroy action9",
                        "action10 = port domain1 2",
                        "destroy action10",
                        "action11 = vport domain1 65535",
                        "destroy action11",
                        "action12 = reformat domain1 flags 1 type 1, 3 bytes 0:07 1:08 2:09",
                        "action13 = reformat domain1 flags 0 type 0, 0 bytes none",
                        "destroy action13",
                        "action14 = modify domain1 flags 1, 8 bytes 0:20 1:0a 4:ff 5:ff 6:ff 7:ff",
                        "destroy action14",
                        "action15 = array domain1: action2 action12(action1) action1",
                        "action16 = aso domain1 devx1 offset 7 flags 4 register 254",
                        "modify aso action16 offset 8 flags 1 register 3",
                        "action17 = meter table1 active 1 register 5, 3 bytes 0:04 1:05 2:06",
                        "modify meter action17 none active 0 register 6, 1 bytes 0:01 fields 102000000000000",
                        "action18 = sampler 1 of 1000 to table1: action1 action12, 1122334455667788",
                        "link devx1 of domain2 to domain1 flags 2 register 4",
                        "link devx1 of domain2 to domain1 flags 3 register 4",
                        "unlink devx1 from domain1",
                        "destroy domain2",
                        "destroy action18",
                        "destroy action17",
                        "destroy action16",
                        "destroy action15",
                        "destroy action2",
                        "destroy table1",
                        "destroy action12",
                        "destroy action1",
                        "destroy domain1",
                        "done actions");
    }

    @Test
    void missingFunctionsAreReportedByName() throws IOException, InterruptedException {
        assertThat(run("lacking", "-DPOOR")).endsWith("destroy table1", "destroy domain1", "done lacking");
    }
}
