/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.compat.frozen.FrozenFolder;
import io.verbs4j.compat.frozen.FrozenLevel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The combinations that the matrix plans. */
class PlanTest {
    private final Release old = Samples.release(1).named("old");
    private final Release present = Samples.release(2).named("new");
    private final List<Subject> providers = List.of(Subject.of(old), Subject.of(present));

    @Test
    void rowsMatchTalk() {
        List<Cell> cells = Plan.eightRows(old, present, providers.subList(0, 1), false, false, Samples.JDK);
        assertThat(cells)
                .extracting(
                        c -> c.row() + " " + c.app().name() + " " + c.header().name() + " "
                                + c.library().name() + " " + c.runtimeHeader().name())
                .containsExactly(
                        "1 old old old old",
                        "2 old old new new",
                        "3 old new old new",
                        "4 old new new new",
                        "5 new old old old",
                        "6 new old new new",
                        "7 new new old new",
                        "8 new new new new");
    }

    /** By default, no header is older than any party. */
    @Test
    void headerIsNewestOfAllParties() {
        List<Cell> cells = Plan.eightRows(old, present, providers, false, false, Samples.JDK);
        assertThat(cells).hasSize(16).noneMatch(c -> c.headerWords().contains("misaligned"));
        assertThat(Plan.eightRows(old, present, providers, true, false, Samples.JDK))
                .hasSize(32)
                .anyMatch(c -> c.headerWords().contains("older than the program's"))
                .anyMatch(c -> c.headerWords().contains("older than the library's"))
                .anyMatch(c -> c.headerWords().contains("older than the provider's"));
    }

    /** Even without the full form: the library of a level in between has a table that is too small. */
    @Test
    void everyEarlierLevelCountsAsOld(@TempDir Path scratch) throws InterruptedException {
        List<Release> releases = List.of(
                Samples.release(1),
                Samples.release(2),
                Samples.release(3),
                Samples.release(3).named("build"));
        List<Cell> cells =
                new Combinations(new Matrix(scratch, null, 1), releases, null, List.of(Samples.JDK)).cells(false);
        assertThat(cells).hasSize(8 * 4 + 7 * 2).doesNotHaveDuplicates();
        assertThat(cells.subList(8 * 4, cells.size()))
                .extracting(c -> c.row() + " " + c.app().name() + ", "
                        + c.library().name() + ", " + c.provider().name())
                .contains("1 level 2, level 2, rxe level 2", "7 new, level 2, rxe new", "7 new, level 2, rxe level 2")
                .noneMatch(name -> name.startsWith("8"));
    }

    @Test
    void everyLevelMeetsEveryOther() {
        List<Release> releases = List.of(Samples.release(1), Samples.release(2), Samples.release(3));
        List<AppSource> apps = List.of(Samples.app(1), Samples.app(2), Samples.app(3));
        List<Subject> all = releases.stream().map(Subject::of).toList();
        List<Cell> cells = Plan.general(apps, releases, all, Samples.JDK);
        assertThat(cells).hasSize(3 * 3 * 3 * 3 * 3).doesNotHaveDuplicates();
        assertThat(cells.stream().map(Cell::row).distinct()).hasSize(27).allMatch(row -> row >= Plan.GENERAL);
    }

    /** A level without its own program would have no row, so freezing a level requires one. */
    @Test
    void eachFrozenLevelHasProgram() {
        for (FrozenLevel level : FrozenFolder.ofThisProject().requireLevels()) {
            assertThat(AppSource.ofLevel(level.level()).level()).isEqualTo(level.level());
        }
        assertThatThrownBy(() -> AppSource.ofLevel(99))
                .isInstanceOf(MatrixException.class)
                .hasMessageContaining("level 99 has no program in the matrix: write one");
    }

    @Test
    void frozenLevelsAreFound() {
        assertThat(Release.frozen(Parties.frozenFolder()))
                .extracting(Release::level)
                .isEqualTo(FrozenFolder.ofThisProject().levels().stream()
                        .map(FrozenLevel::level)
                        .toList());
        assertThat(Release.frozen(Parties.frozenFolder()))
                .allSatisfy(r -> assertThat(Release.levelOf(r.header())).isEqualTo(r.level()))
                .allSatisfy(r -> assertThat(List.of(r.library(), r.provider())).allMatch(Files::isRegularFile));
    }

    @Test
    void missingFileIsNamed(@TempDir Path folder) throws IOException {
        assertThatThrownBy(() -> Release.frozen(folder)).hasMessageStartingWith("no frozen level in ");
        assertThatThrownBy(() -> Release.build(folder)).hasMessageStartingWith("expected one jar of verbs-spi in ");
        Files.createFile(folder.resolve("jna-5.19.1.jar"));
        Files.createFile(folder.resolve("jna-platform-5.19.1.jar"));
        assertThat(Release.jar(folder, "jna")).hasFileName("jna-5.19.1.jar");
        assertThatThrownBy(() -> Release.frozen(folder.resolve("none"))).hasMessageStartingWith("cannot list ");
    }
}
