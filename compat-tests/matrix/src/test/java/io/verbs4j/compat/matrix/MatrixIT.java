/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The eight rows of the talk, with an old and a new provider. */
class MatrixIT {
    /** The verbs that the embedded device lacks. */
    private static final List<String> LACKING = List.of(
            "dm_export_dmabuf_fd",
            "create_wq",
            "modify_wq",
            "destroy_wq",
            "create_rwq_ind_table",
            "destroy_rwq_ind_table",
            "create_flow",
            "destroy_flow",
            "create_counters",
            "destroy_counters",
            "attach_counters_point_flow",
            "read_counters",
            "set_ece",
            "query_ece",
            "alloc_dmah",
            "dealloc_dmah",
            "create_flow_action_esp",
            "modify_flow_action_esp",
            "destroy_flow_action",
            "export_buf_dmabuf_fd");

    private static List<CellResult> results;

    @TempDir
    static Path scratch;

    @BeforeAll
    static void runRows() throws InterruptedException {
        List<Release> releases = List.of(Parties.oldest(), Parties.build());
        List<Cell> cells =
                new Combinations(Parties.matrix(scratch), releases, null, List.of(Parties.jdk())).cells(false);
        results = Parties.run(scratch, cells);
    }

    @Test
    void everyResultIsAsExpected() {
        assertThat(results).hasSize(16);
        Parties.assertGreen(results);
    }

    /** Checks against the talk instead of the rules. */
    @Test
    void outcomesMatchTalk() {
        assertThat(results)
                .extracting(r -> r.cell().row() + " " + r.outcome())
                .containsOnly("1 Y", "2 Y", "3 Y", "4 Y", "5 N", "6 N", "7 Y", "8 Y");
    }

    @Test
    void newVerbsMoveDataBetweenNewParties() {
        assertThat(row(8, "rxe new").detail())
                .contains("old verbs work (10000 bytes verified)")
                .contains("open_xrcd works", "xrc_transfer works (10000 bytes verified)", "close_xrcd works")
                .contains("unknown bit in open_xrcd EOPNOTSUPP")
                .contains("create_cq_ex works (extended)", "start_poll works (10000 bytes verified)")
                .contains("create_cq_ex_ts works (10000 bytes verified)", "query_values works", "modify_cq works")
                .contains("unknown bit in create_cq_ex_wc EOPNOTSUPP")
                .contains("reg_mr_ex works (extended)", "reg_mr_ex_iova works (10000 bytes verified)")
                .contains("alloc_mr_key works (10000 bytes verified)", "alloc_dm_copy works (64 bytes verified)")
                .contains("alloc_parent_domain_transfer works (10000 bytes verified)")
                .contains("post_atomic_write works (done)", "builder_nop works (done)");
        assertThat(row(8, "rxe new").skipped())
                .as("memory that is not on a PCI device, and verbs for Ethernet")
                .containsExactlyElementsOf(LACKING.stream()
                        .map(verb -> verb + ": the device reports that it lacks it")
                        .toList());
    }

    @Test
    void oldLibraryAnswersEachNewVerb() {
        for (String provider : List.of("rxe old", "rxe new")) {
            assertThat(row(7, provider).detail())
                    .contains("old verbs work (10000 bytes verified)", "create_qp_ex works (fall-back)")
                    .contains("send_ex works (10000 bytes verified)", "create_srq_ex works (fall-back)")
                    .contains(
                            "open_xrcd ENOSYS",
                            "open_qp ENOSYS",
                            "create_cq_ex works (fall-back)",
                            "poll_cq_sized works (10000 bytes verified)",
                            "start_poll EOPNOTSUPP",
                            "create_cq_ex_ts ENOSYS",
                            "query_device_ex works (fall-back)",
                            "modify_rate_limit ENOSYS",
                            "reg_mr_ex works (fall-back)",
                            "reg_mr_ex_iova ENOSYS",
                            "alloc_parent_domain ENOSYS",
                            "free_dm ENOSYS",
                            "the library is too old: open_xrcd came with level 2");
        }
    }

    @Test
    void oldProviderAnswersEachNewVerb() {
        assertThat(row(8, "rxe old").detail())
                .contains("create_qp_ex works (fall-back)", "open_xrcd EOPNOTSUPP", "get_srq_num EOPNOTSUPP")
                .contains("create_cq_ex works (fall-back)", "create_cq_ex_ts EOPNOTSUPP", "modify_cq EOPNOTSUPP")
                .contains("reg_mr_ex works (fall-back)", "alloc_mr_key EOPNOTSUPP", "alloc_dm EOPNOTSUPP")
                .contains("post_nop works (refused, EOPNOTSUPP)", "post_atomic_write works (refused, EOPNOTSUPP)")
                .contains("but provider 'rxe' of level 1");
    }

    @Test
    void oldHeaderLacksNewSymbols() {
        CellResult result = row(5, "rxe new");
        assertThat(result.detail())
                .contains(
                        "cannot find ",
                        "ContextSlot, ",
                        "QpInitAttrEx, ",
                        "XrcDomain",
                        "CqInitAttrEx, ",
                        "Context.queryGidTable",
                        "ProtectionDomain.regMrEx",
                        "WrOpcode.ATOMIC_WRITE",
                        "slot.AllocDm");
        assertThat(result.output()).contains("cannot find symbol");
        assertThat(result.command()).startsWith("javac ").contains("level-1");
    }

    private static CellResult row(int row, String provider) {
        return results.stream()
                .filter(r -> r.cell().row() == row && r.cell().provider().name().equals(provider))
                .findFirst()
                .orElseThrow();
    }
}
