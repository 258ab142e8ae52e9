/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.compat.frozen.FrozenFolder;
import io.verbs4j.testsupport.Full;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests Java levels with releases of rdma-core in the guest, and checks that changes to the binding turn results red.
 * All tests share one boot per release.
 */
@Full
class NativeMatrixIT {
    private static final String FUNCTIONS = "io/verbs4j/rdmacore/call/ContextFunctions.java";
    private static final String LAYOUT = "io/verbs4j/rdmacore/layout/ExtendedContextLayout.java";
    private static final String SIZE_CHECK = "the size check is dropped";
    private static final String SHIFTED = "the slots are shifted by 8";
    private static final String SIZE_ELSEWHERE = "the size is read elsewhere";

    @TempDir
    static Path scratch;

    private static final List<NativeResult> RESULTS = new ArrayList<>();
    private static final List<NativeResult> MUTANTS = new ArrayList<>();
    private static List<NativeRelease> releases;
    private static String failure = "";

    @BeforeAll
    static void run() throws IOException, InterruptedException {
        Path tests =
                FrozenFolder.ofThisProject().path().toAbsolutePath().normalize().getParent();
        String shared = System.getenv("VERBS4J_RDMA_CORE");
        Path folder = shared != null ? Path.of(shared) : tests.resolve("target/rdma-core");
        fetch(tests);
        releases = NativeRelease.in(folder);
        String kernel = NativeGuest.preferred();
        String missing = NativeMatrix.missing(releases, folder, kernel);
        assumeTrue(missing.isEmpty(), missing + " " + failure);

        NativeMatrix matrix = new NativeMatrix(
                Parties.matrix(scratch), new NativeGuest(tests.resolve("guest/run"), kernel), Parties.jars());
        List<Release> levels = new ArrayList<>(Release.frozen(Parties.frozenFolder()));
        levels.add(Parties.build());
        List<NativeCell> cells = matrix.cells(levels, releases, false, Parties.jdk());
        if (!Parties.FULL) {
            // Between the oldest and the newest release, tests only the newest library, with the oldest program and its
            // own.
            cells = cells.stream()
                    .filter(cell ->
                            isAtAnEnd(cell) || cell.cell().library().name().equals(Release.BUILD))
                    .toList();
        }
        if (kernel.equals(NativeGuest.QEMU)) {
            // Emulated, each takes half a minute: tests only the newest program, with the oldest library and its own.
            NativeRelease newest = releases.get(releases.size() - 1);
            cells = cells.stream()
                    .filter(cell -> cell.release().equals(newest)
                            && cell.cell().app().name().equals(Release.BUILD))
                    .toList();
        }
        List<NativeCell> all = new ArrayList<>(cells);
        for (Map.Entry<String, Path> mutant : changedBindings().entrySet()) {
            for (NativeCell cell : cells) {
                if (isAtAnEnd(cell) && cell.cell().library().name().equals(Release.BUILD) && isOfTheBuild(cell)) {
                    Cell java = cell.cell();
                    Subject named = java.provider().named(mutant.getKey());
                    all.add(new NativeCell(
                            new Cell(
                                    java.row(),
                                    java.app(),
                                    java.header(),
                                    java.library(),
                                    named,
                                    java.runtimeHeader(),
                                    java.modular(),
                                    java.jdk()),
                            mutant.getValue(),
                            cell.release()));
                }
            }
        }
        for (NativeResult result : matrix.run(all, result -> {})) {
            (cells.contains(result.cell()) ? RESULTS : MUTANTS).add(result);
        }
    }

    private static boolean isAtAnEnd(NativeCell cell) {
        return cell.release().equals(releases.get(0)) || cell.release().equals(releases.get(releases.size() - 1));
    }

    private static boolean isOfTheBuild(NativeCell cell) {
        return cell.cell().app().name().equals(Release.BUILD);
    }

    /** Fetches the releases; quick if they are there already. */
    private static void fetch(Path tests) throws IOException, InterruptedException {
        Path output = scratch.resolve("fetch.txt");
        int status = new ProcessBuilder(tests.resolve("rdma-core/fetch").toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start()
                .waitFor();
        List<String> lines = Files.readAllLines(output);
        if (status != 0) {
            failure = lines.isEmpty() ? "rdma-core/fetch failed" : lines.get(lines.size() - 1);
        }
    }

    private static Map<String, Path> changedBindings() {
        return Map.of(
                SIZE_CHECK,
                        jar(
                                "size-check",
                                Sources.binding()
                                        .edit(
                                                FUNCTIONS,
                                                "if (extendedSize() < (long) CONTEXT_SIZE - slot) {",
                                                "if (slot > 0) {")),
                SHIFTED,
                        jar(
                                "shifted",
                                Sources.binding()
                                        .edit(
                                                FUNCTIONS,
                                                "NativeMemory.getLong(context + slot)",
                                                "NativeMemory.getLong(context + slot + 8)")),
                SIZE_ELSEWHERE, jar("size-elsewhere", Sources.binding().edit(LAYOUT, "SZ = -8;", "SZ = -16;")));
    }

    private static Path jar(String name, Sources sources) {
        Path header = Parties.build().header();
        Path manager = Release.jar(Parties.jars(), "verbs-cm");
        Path natives = Release.jar(Parties.jars(), "verbs-native");
        Path jna = Release.jar(Parties.jars(), "jna");
        return sources.jar(scratch.resolve(name + ".jar"), "-p", header, manager, natives, jna);
    }

    @Test
    void everyReleaseIsRun() {
        assumeTrue(failure.isEmpty(), failure);
        assertThat(releases).hasSizeGreaterThanOrEqualTo(4);
    }

    @Test
    void everyResultIsAsExpected() {
        NativeSection section = NativeSection.of(RESULTS);
        // Not the table, from which a build leaves out combinations.
        assertThat(section.red())
                .as(() -> section.red().stream()
                        .map(red -> red.cell() + ": " + red.result().detail())
                        .collect(Collectors.joining("\n")))
                .isEmpty();
        assertThat(RESULTS).isNotEmpty();
    }

    /** Checks against measurements instead of the rules. */
    @Test
    void sizesMatchMeasurements() {
        Map<Integer, String> measured = Map.of(
                33, "sz 648, slots: 6 not used, 35 used", 44, "sz 648,", 56, "sz 648,", 65, "sz 696, slots: 41 used");
        assertThat(RESULTS)
                .allSatisfy(r -> assertThat(r.result().summary())
                        .contains(measured.getOrDefault(r.cell().release().number(), "sz ")));
    }

    @Test
    void libraryOrDriverAnswersNewProgram() {
        for (NativeResult result : RESULTS) {
            String detail = result.result().detail();
            assertThat(detail).contains("old verbs work (10000 bytes verified)");
            if (isOfTheBuild(result.cell())) {
                assertThat(detail)
                        .contains("send_ex works (10000 bytes verified)", "rdma_write_ex works (10000 bytes verified)");
                assertThat(detail)
                        .contains(
                                result.cell().cell().library().level() == 1
                                        ? "open_xrcd ENOSYS"
                                        : "the first of these says: open_xrcd: EOPNOTSUPP: the driver refused");
            }
        }
        assertThat(RESULTS).anyMatch(result -> isOfTheBuild(result.cell()));
    }

    @Test
    void changedBindingIsRed() {
        mutant(SHIFTED, 0, "slot query_port: expected used, but was another one is used");
        mutant(SIZE_ELSEWHERE, 0, "our open_xrcd: expected filled, but was empty");
        // Beyond the size of release 33 there is no function: malloc keeps its own data before the context.
        mutant(SIZE_CHECK, NativeSlots.NEWEST, "slot alloc_dmah: expected not used, but was");
    }

    /**
     * Requires a mutant to be red with each release older than the given one, for this reason among others, and green
     * otherwise.
     */
    private static void mutant(String name, int before, String reason) {
        List<NativeResult> found = MUTANTS.stream()
                .filter(result -> result.cell().cell().provider().name().equals(name))
                .toList();
        assertThat(found).as(name).isNotEmpty().allSatisfy(result -> {
            if (before == 0 || result.cell().release().number() < before) {
                assertThat(result.result().problems()).as("%s", result).anyMatch(problem -> problem.startsWith(reason));
            } else {
                assertThat(result.result().problems()).as("%s", result).isEmpty();
            }
        });
    }
}
