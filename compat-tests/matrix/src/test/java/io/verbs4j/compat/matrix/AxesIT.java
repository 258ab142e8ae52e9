/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.compat.frozen.FrozenFolder;
import io.verbs4j.compat.frozen.FrozenLevel;
import io.verbs4j.testsupport.Full;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The other axes: the run-time header, the module path, the JDK, and every level with every other. */
@Full
class AxesIT {
    @TempDir
    Path scratch;

    private final Release old = Parties.oldest().named("old");
    private final Release present = Parties.build().named("new");
    private final List<Subject> providers = List.of(Subject.of(old), Subject.of(present));

    /** Whether every run-time header is tested with a JDK: that of the build, or any in the long form. */
    private static boolean hasEveryHeader(Jdk jdk) {
        return Parties.FULL || jdk.equals(Parties.jdk());
    }

    private List<CellResult> run(boolean modular, Jdk jdk) throws InterruptedException {
        boolean everyHeader = hasEveryHeader(jdk);
        List<CellResult> results =
                Parties.run(scratch, Plan.eightRows(old, present, providers, everyHeader, modular, jdk));
        assertThat(results).hasSize(everyHeader ? 32 : 16);
        Parties.assertGreen(results);
        return results;
    }

    /** Runs with every installed JDK; {@code .ci/run} lists them. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("io.verbs4j.compat.matrix.Jdk#all")
    void rowsHoldOnModulePath(Jdk jdk) throws InterruptedException {
        run(true, jdk);
    }

    /** The same for the class path. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("io.verbs4j.compat.matrix.Jdk#all")
    void rowsHoldOnClassPath(Jdk jdk) throws InterruptedException {
        List<CellResult> results = run(false, jdk);
        if (hasEveryHeader(jdk)) {
            assertMisalignedHeadersAreTold(results);
        }
    }

    /**
     * Each frozen release on its own, and its provider under a new program and library: every module that it requires
     * must be there.
     */
    @Test
    void frozenLevelsWorkOnModulePath() throws InterruptedException {
        List<Cell> cells = new ArrayList<>();
        for (Release frozen : Release.frozen(Parties.frozenFolder())) {
            AppSource app = AppSource.ofLevel(frozen.level());
            Subject provider = Subject.of(frozen);
            cells.add(new Cell(1, app, frozen, frozen, provider, frozen, true, Parties.jdk()));
            cells.addAll(Plan.eightRows(old, present, List.of(provider), false, true, Parties.jdk()).stream()
                    .filter(cell -> cell.row() == 8)
                    .toList());
        }
        List<CellResult> results = Parties.run(scratch, cells);
        Parties.assertGreen(results);
        assertThat(results)
                .extracting(CellResult::outcome)
                .hasSize(cells.size())
                .containsOnly(Outcome.Y);
    }

    /** An older header below a newer party must be reported with the remedy; no program may meet a LinkageError. */
    private void assertMisalignedHeadersAreTold(List<CellResult> results) {
        List<CellResult> misaligned = results.stream()
                .filter(r -> r.cell().headerWords().contains("misaligned") && r.outcome() != Outcome.N)
                .toList();
        assertThat(misaligned).extracting(CellResult::outcome).containsOnly(Outcome.EPROTO);
        assertThat(misaligned)
                .allSatisfy(result -> assertThat(result.detail())
                        .contains("level 1, from " + old.header())
                        .containsIgnoringCase("put ")
                        .contains("verbs-spi", "before it on the path, or align the versions of the io.verbs4j jars"));
        assertThat(misaligned).hasSize(5 + 6); // of those that compile, all but row 1 with the old provider
    }

    @Test
    void everyLevelWorksWithEveryOther() throws InterruptedException {
        List<Release> releases = new ArrayList<>(Release.frozen(Parties.frozenFolder()));
        releases.add(Parties.build());
        List<Subject> subjects = releases.stream().map(Subject::of).toList();
        List<Cell> cells = Plan.general(releases, subjects, Parties.jdk()).stream()
                .filter(cell -> Parties.FULL || isShort(cell))
                .toList();
        Parties.assertGreen(Parties.run(scratch, cells));
        for (FrozenLevel level : FrozenFolder.ofThisProject().requireLevels()) {
            String name = "level " + level.level();
            assertThat(cells)
                    .as("a row whose program is of " + name)
                    .anyMatch(c -> c.app().name().equals(name));
            assertThat(cells)
                    .as("a row whose header is of " + name)
                    .anyMatch(c -> c.header().name().equals(name));
            assertThat(cells)
                    .as("a row whose library is of " + name)
                    .anyMatch(c -> c.library().name().equals(name));
            assertThat(cells)
                    .as("a row whose provider is of " + name)
                    .anyMatch(c -> c.provider().name().equals("rxe " + name));
            assertThat(cells)
                    .as("a row whose run-time header is of " + name)
                    .anyMatch(c -> c.runtimeHeader().name().equals(name));
        }
    }

    /**
     * Selects a third of the cells, so that any four of a cell's five levels meet in every combination. A frozen level
     * that is also the build's level meets itself and the build, in half of the cells each; elsewhere the build stands
     * in for it.
     */
    private boolean isShort(Cell cell) {
        String twin = "level " + present.level();
        long twins = Stream.of(
                        cell.header().name(),
                        cell.library().name(),
                        cell.provider().name(),
                        cell.runtimeHeader().name())
                .filter(name -> name.endsWith(twin))
                .count();
        List<Integer> levels = List.of(
                cell.header().level(),
                cell.library().level(),
                cell.provider().level(),
                cell.runtimeHeader().level());
        int sum = cell.app().level() + levels.stream().mapToInt(level -> level).sum();
        return twins == 0
                ? sum % present.level() == 0
                : twins % 2 == 0 && levels.stream().allMatch(level -> level == present.level());
    }
}
