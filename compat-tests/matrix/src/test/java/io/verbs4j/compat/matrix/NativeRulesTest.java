/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.compat.matrix.Expectation.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rules for releases of rdma-core, without running a release. */
class NativeRulesTest {
    private static final NativeRelease OLD = new NativeRelease(44, Path.of("/44/root"));
    private static final NativeRelease NEW = new NativeRelease(65, Path.of("/65/root"));

    static NativeCell cell(int app, int library, NativeRelease release) {
        return new NativeCell(Samples.cell(app, app, library, 2, 2), Path.of("binding"), release);
    }

    /** The last slot of each size, from the headers. */
    @Test
    void slotsOfEachReleaseMatchHeaders() {
        assertThat(Stream.of(12, 15, 16, 17, 18, 19, 20, 22, 33, 44, 58, 59, 62, 63, 64, 65)
                        .map(release -> release + " " + NativeSlots.size(release) + " "
                                + NativeSlots.ORDER.get(NativeSlots.count(release) - 1)))
                .containsExactly(
                        "12 496 destroy_rwq_ind_table",
                        "15 496 destroy_rwq_ind_table",
                        "16 512 modify_cq",
                        "17 536 alloc_parent_domain",
                        "18 592 reg_dm_mr",
                        "19 624 read_counters",
                        "20 632 alloc_null_mr",
                        "22 648 query_port",
                        "33 648 query_port",
                        "44 648 query_port",
                        "58 648 query_port",
                        "59 672 reg_mr_ex",
                        "62 680 dm_export_dmabuf_fd",
                        "63 680 dm_export_dmabuf_fd",
                        "64 696 free_buf",
                        "65 696 free_buf");
    }

    @Test
    void newLibraryLetsDriverAnswer() {
        Expectation expected = NativeExpectation.of(cell(2, 2, OLD), false);
        assertThat(expected.outcome()).isEqualTo(Outcome.Y);
        assertThat(expected.steps())
                .containsEntry("new falls", new Result("works", "extended"))
                .containsEntry("new always", new Result("works", ""))
                .containsEntry("new missing", new Result("unreached", "needs "))
                .containsEntry("new dependent", new Result("unreached", "needs "))
                .containsEntry(
                        "mask bit", new Result("EOPNOTSUPP", "the mask has bits that this library does not know"));
        Cell xrc = new Cell(
                5,
                AppSource.ofLevel(2),
                Samples.release(2),
                Samples.release(2),
                Samples.provider(2),
                Samples.release(2),
                false,
                Samples.JDK);
        assertThat(NativeExpectation.of(new NativeCell(xrc, Path.of("binding"), OLD), true)
                        .steps())
                .containsEntry(
                        "new open_xrcd",
                        new Result("EOPNOTSUPP", "the driver refused: this device, or its driver, does not have "));
    }

    /**
     * A release implements the part of level 3 that its driver supports. Steps that need an unsupported object are
     * unreached.
     */
    @Test
    void driverImplementsPartOfLevel3() {
        Cell grown = new Cell(
                5,
                AppSource.ofLevel(3),
                Samples.release(3),
                Samples.release(3),
                Samples.provider(3),
                Samples.release(3),
                false,
                Samples.JDK);
        assertThat(NativeExpectation.of(new NativeCell(grown, Path.of("binding"), NEW), true)
                        .steps())
                .containsEntry("new reg_mr_ex_iova", new Result("works", ""))
                .containsEntry("new advise_mr", new Result("works", ""))
                .containsEntry("new alloc_td", new Result("EOPNOTSUPP", ""))
                .containsEntry("new dealloc_td", new Result("unreached", "needs "))
                .containsEntry("new alloc_dm_copy", new Result("unreached", "needs "));
        assertThat(NativeExpectation.of(new NativeCell(grown, Path.of("binding"), OLD), true)
                        .steps())
                .containsEntry("new advise_mr", new Result("EOPNOTSUPP", ""));
        assertThat(NativeExpectation.of(new NativeCell(grown, Path.of("binding"), NEW), false)
                        .steps())
                .as("a kernel that pages nothing in on demand")
                .containsEntry("new advise_mr", new Result("EOPNOTSUPP", ""));
    }

    @Test
    void oldLibraryAnswersAsWithAnyProvider() {
        NativeCell cell = cell(2, 1, OLD);
        assertThat(NativeExpectation.of(cell, true).steps())
                .isEqualTo(Expectation.of(cell.cell()).steps())
                .containsEntry("new missing", new Result("ENOSYS", "the library is too old"));
    }

    private static List<String> told(String files, int size) {
        List<String> lines = new ArrayList<>(List.of(
                "provider rxe used 2 1 [rxe0]",
                "old open_device works",
                "old create_qp works",
                "old send works 10 bytes verified",
                "old rdma_write works",
                "old close works",
                "end main works"));
        lines.add("native loaded works " + files);
        lines.add("native sz works " + size);
        lines.add("native on_demand works not offered");
        return lines;
    }

    private static NativeResult judge(NativeRelease release, String files, int size, int used, String instead) {
        ProgramRun run = Samples.output(0, told(files, size).toArray(String[]::new));
        StringBuilder out = new StringBuilder(run.out());
        for (int i = 0; i < NativeSlots.ORDER.size(); i++) {
            String name = NativeSlots.ORDER.get(i);
            String state = i < used ? "used" : instead;
            out.append("result\tnative\tslot ")
                    .append(name)
                    .append("\tworks\t")
                    .append(state)
                    .append('\n');
            out.append("result\tnative\tour ").append(name).append("\tworks\tfilled\n");
        }
        return NativeJudge.ran(cell(1, 1, release), new ProgramRun(run.command(), 0, out.toString(), ""));
    }

    @Test
    void expectedResultIsGreen() {
        NativeResult result = judge(OLD, "libibverbs.so.1.14.44.0 librxe-rdmav34.so", 648, 38, "not used");
        assertThat(result.result().problems()).isEmpty();
        assertThat(result.result().summary()).startsWith("libibverbs.so.1.14.44.0 librxe-rdmav34.so, sz 648, slots: ");
        assertThat(judge(NEW, "libibverbs.so.1.18.65.0 librxe-rdmav65.so", 696, 44, "")
                        .green())
                .isTrue();
    }

    @Test
    void unexpectedResultIsRed() {
        assertThat(judge(OLD, "libibverbs.so.1.14.56.1 librxe-rdmav34.so", 648, 38, "not used")
                        .result()
                        .problems())
                .singleElement()
                .asString()
                .startsWith("loaded: expected files of rdma-core 44 ");
        assertThat(judge(OLD, "libibverbs.so.1.14.44.0 librxe-rdmav34.so", 672, 41, "not used")
                        .result()
                        .problems())
                .containsExactly(
                        "sz: expected 648, but was 672",
                        "slot alloc_dmah: expected not used, but was used",
                        "slot dealloc_dmah: expected not used, but was used",
                        "slot reg_mr_ex: expected not used, but was used");
        assertThat(judge(NEW, "libibverbs.so.1.18.65.0 librxe-rdmav65.so", 696, 43, "another one is used")
                        .result()
                        .problems())
                .containsExactly("slot free_buf: expected used, but was another one is used");
    }

    /** A device may hide what its kernel has, but must not offer what the kernel refuses. */
    @Test
    void deviceMustNotOfferMoreThanKernel() {
        NativeCell cell = cell(1, 1, OLD);
        assertThat(onDemand(cell, "offered", "registered")).isEmpty();
        assertThat(onDemand(cell, "not offered", "registered")).isEmpty();
        assertThat(onDemand(cell, "not offered", "refused")).isEmpty();
        assertThat(onDemand(cell, "offered", "refused"))
                .containsExactly("on_demand_in_c: expected registered, but was refused");
    }

    private static List<String> onDemand(NativeCell cell, String device, String kernel) {
        ProgramRun run = Samples.output(
                0,
                Stream.concat(
                                told("x", 1).subList(0, 7).stream(),
                                Stream.of("native on_demand works " + device, "native on_demand_in_c works " + kernel))
                        .toArray(String[]::new));
        return NativeJudge.ran(cell, run).result().problems().stream()
                .filter(problem -> problem.startsWith("on_demand"))
                .toList();
    }

    @Test
    void missingOutputIsRed() {
        ProgramRun run = Samples.output(0, told("x", 1).subList(0, 7).toArray(String[]::new));
        assertThat(NativeJudge.ran(cell(1, 1, OLD), run).result().problems())
                .contains(
                        "sz: expected 648, but was not reported", "our open_qp: expected filled, but was not reported")
                .contains("on_demand: expected not offered, but was not reported");
    }

    @Test
    void rowsAreEndsAndDiagonal() {
        List<Release> levels = List.of(
                Samples.release(1), Samples.release(2), Samples.release(2).named("build"));
        List<Cell> rows = NativeMatrix.rows(levels, Subject.of(levels.get(2)), false, Samples.JDK);
        assertThat(rows)
                .extracting(c -> c.app().name() + ", " + c.library().name() + ", "
                        + c.runtimeHeader().name())
                .containsExactly(
                        "level 1, level 1, level 2",
                        "level 1, build, build",
                        "level 2, level 2, level 2",
                        "build, level 1, build",
                        "build, build, build");
        assertThat(NativeMatrix.rows(levels, Subject.of(levels.get(2)), true, Samples.JDK))
                .hasSize(9);
    }

    @Test
    void onlyCompleteReleasesAreFound(@TempDir Path folder) throws IOException {
        assertThat(NativeRelease.in(folder.resolve("none"))).isEmpty();
        for (String name : List.of("65", "9", "44", ".work")) {
            Files.createDirectories(folder.resolve(name).resolve("root"));
        }
        Files.createFile(folder.resolve("65/packages"));
        Files.createFile(folder.resolve("9/packages"));
        assertThat(NativeRelease.in(folder)).extracting(NativeRelease::number).containsExactly(9, 65);
        assertThat(NativeMatrix.missing(List.of(), folder, "uml"))
                .startsWith("there is no release of rdma-core in " + folder);
    }
}
