/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.fake;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.fake.programs.EthernetProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ethernet verbs on a test library: the C structures passed to it, and the handling of its results. */
class FakeEthernetTest {
    @TempDir
    Path scratch;

    private List<String> run(String size, Map<String, String> more) throws IOException, InterruptedException {
        Path library = FakeLibrary.make(scratch, "fakeethernet.c");
        Map<String, String> environment = new HashMap<>(more);
        environment.put("FAKE_SIZES", size);
        environment.put("SYSFS_PATH", FakeLibrary.sysfs(scratch, 2).toString());
        ProgramRun run = FakeLibrary.java(
                scratch,
                environment,
                List.of("-D" + Libibverbs.LIBRARY_PROPERTY + "=" + library),
                List.of(),
                Set.of(),
                EthernetProgram.class);
        assertThat(run.status()).as(run.output()).isZero();
        return run.lines();
    }

    @Test
    void workQueueCallsReachC() throws IOException, InterruptedException {
        List<String> lines = run("648", Map.of());

        assertThat(lines)
                .containsSubsequence(
                        "has create_wq",
                        "has modify_wq",
                        "has destroy_wq",
                        "has create_rwq_ind_table",
                        "has destroy_rwq_ind_table")
                .containsSubsequence(
                        "create_wq type 0 wr 100 sge 2 pd 31 cq 32 mask 1 flags 5",
                        "create_wq type 0 wr 100 sge 3 pd 31 cq 32 mask 0 flags 0",
                        "given 128 4, numbers 121 122",
                        "in RESET 22",
                        "modify_wq 121: mask 3 state 1 from 0 flags 0 of 0",
                        "post_recv 121: 7 of 1, 1234 64 ab",
                        "in RDY 12 99",
                        "modify_wq 121: mask 4 state 0 from 0 flags 0 of 1",
                        "ack_async_event 19",
                        "event WQ fatal, true ERR",
                        "modify_wq 121: mask 1 state 0 from 0 flags 0 of 0",
                        "state RESET",
                        "create_table mask 0: 121 122 122 121",
                        "create_qp_ex type 8 mask 49 pd 31 flags 0 cqs 0 caps 0 0",
                        "spreads by table 55, function 1, key of 40 from 10 to 200, fields 80000001",
                        "table 55, queue pair 291",
                        "posts 22 22",
                        "destroy_qp 291",
                        "destroy_table 55",
                        "destroy_wq 122",
                        "destroy_wq 121");
        said(lines, "another type", "create_wq: EOPNOTSUPP", "supports only RQ");
        said(lines, "another flag", "create_wq: EOPNOTSUPP", "createFlags is 0x100000");
        said(lines, "padding", "modify_wq: EOPNOTSUPP");
        said(lines, "unknown flag", "modify_wq: EOPNOTSUPP", "flagsMask is 0x200");
        said(lines, "one that sends", "create_qp_ex: EOPNOTSUPP", "only receives");
        said(lines, "operations", "create_qp_ex: EOPNOTSUPP", "sendOpsFlags has SEND");
    }

    @Test
    void flowAndCounterCallsReachC() throws IOException, InterruptedException {
        List<String> lines = run("648", Map.of());
        String zeros = "00000000";
        String six = zeros + zeros + zeros + zeros;

        assertThat(lines)
                .contains(
                        "has create_flow",
                        "has destroy_flow",
                        "has create_counters",
                        "has destroy_counters",
                        "has attach_counters_point_flow",
                        "has read_counters")
                .containsSubsequence(
                        "attach 1: desc 1 index 1 mask 0 flow 0",
                        "create_flow 291: mask 0 type 0 priority 7 port 2 flags 2:"
                                + " eth 020000000001000000000000" + "00000123" + " of ffffffffffff000000000000"
                                + "00000fff"
                                + " ipv4 0a00000100000000 of ffffffff00000000"
                                + " tcp_udp 12b50000 of ffff0000"
                                + " tunnel 00000042 of ffffffff"
                                + " ipv6 inner " + six + six + zeros + "06000000 of " + six + six + zeros + "ff000000"
                                + " tcp_udp inner 00000050 of 0000ffff"
                                + " tag abcdef size 12 count 1 size 16.",
                        "create_flow 291: mask 0 type 2 priority 0 port 1 flags 0:"
                                + " ipv4_ext " + zeros + zeros + "11000000 of " + zeros + zeros + "ff000000"
                                + " gre 0000000000000001 of 00000000ffffffff"
                                + " mpls 00000002 of ffffffff"
                                + " esp 0000000300000000 of ffffffff00000000"
                                + " drop size 8.",
                        "flows to true true",
                        "attach 1: desc 0 index 2 mask 0 flow 74",
                        "read 1: 2 flags 1",
                        "values 1000000000000 1000000000001",
                        "destroy_flow 71",
                        "destroy_flow 74",
                        "destroy_counters 1");
        said(lines, "another flag of flows", "create_flow: EOPNOTSUPP", "flags is 0x1000");
        said(lines, "a wrong flow", "create_flow: EINVAL", "the driver refused");
        said(lines, "attach to a flow", "attach_counters_point_flow: EOPNOTSUPP");
        said(lines, "too many", "read_counters: EINVAL");
        said(lines, "another flag of counters", "read_counters: EOPNOTSUPP");
    }

    @Test
    void espActionCallsReachC() throws IOException, InterruptedException {
        List<String> lines = run("648", Map.of());

        assertThat(lines)
                .contains("has create_flow_action_esp", "has modify_flow_action_esp", "has destroy_flow_action")
                .containsSubsequence(
                        "create_action: mask 1 esn 505 spi 101 seq 202 pad 303 flags 5 limit 100000404"
                                + " key 0 of 0: iv 8000000000000606 0 salt 707 icv 12 of 24"
                                + " 707172737475767778797a7b7c7d7e7f8081828384858687" + "0000000000000000"
                                + " replay 1 of 0: 808 encap 0",
                        "create_flow 291: mask 0 type 0 priority 0 port 1 flags 0: action 1 size 16.",
                        "modify_action: mask 1 esn 606 encap 0",
                        "modify_action: mask 0 esn 0 replay 0 of 0: 0 encap 0",
                        "flow to true",
                        "destroy_flow 67",
                        "destroy_action 1");
        said(lines, "to nothing", "modify_flow_action_esp: EOPNOTSUPP");
        said(lines, "an unknown part", "modify_flow_action_esp: EOPNOTSUPP", "0x8");
    }

    @Test
    void segmentationReachesCAndPacketDetailsComeBack() throws IOException, InterruptedException {
        List<String> lines = run("648", Map.of());

        assertThat(lines)
                .containsSubsequence(
                        "max_tso_header 64",
                        "create_qp_ex type 8 mask 9 pd 31 flags 0 cqs 3 caps 4 0",
                        "post_send 1: opcode 10 flags 0, 1 of 100, header the-headers mss 30",
                        "post_send 2: opcode 2 flags 18, 1 of 100",
                        "posted 0",
                        "another key 22",
                        "create_cq_ex flags 37f",
                        "start 0 vlan 291 tag 11259375 IP_CSUM_OK next 2 end 0",
                        "create_cq_ex flags 37f",
                        "polled 1 vlan 291 tag 11259375 mask 12",
                        "create_cq_ex flags 17f",
                        "one of them 291");
        said(lines, "headers on UD", "create_qp_ex: EOPNOTSUPP", "no TSO for queue pairs of type UD");
        said(lines, "the other", "start_poll: EINVAL", "without FLOW_TAG");
    }

    /** Like every driver except libmlx5: flows, but no counters for them. */
    @Test
    void deviceWithoutCountersOffersNone() throws IOException, InterruptedException {
        assertThat(run("648", Map.of("FAKE_WITHOUT_COUNTERS", "1")))
                .contains("has create_flow")
                .noneMatch(line -> line.startsWith("has ") && line.endsWith("counters"));
    }

    private static void said(List<String> lines, String what, String... words) {
        assertThat(lines)
                .filteredOn(line -> line.startsWith(what + ":"))
                .singleElement(InstanceOfAssertFactories.STRING)
                .contains(words);
    }

    /** libibverbs fills each slot; the capabilities show what the device supports. */
    @Test
    void deviceWithoutEthernetOffersNoSlots() throws IOException, InterruptedException {
        assertThat(run("648", Map.of("FAKE_WITHOUT_ETHERNET", "1"))).noneMatch(line -> line.startsWith("has "));
    }

    @Test
    void libraryWithoutExtensionOffersNoSlots() throws IOException, InterruptedException {
        assertThat(run("none", Map.of())).noneMatch(line -> line.startsWith("has "));
    }
}
