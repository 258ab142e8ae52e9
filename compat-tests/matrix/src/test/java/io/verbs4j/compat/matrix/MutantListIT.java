/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.compat.api.ApiGate;
import io.verbs4j.compat.matrix.Mutant.Seer;
import io.verbs4j.testsupport.Extent;
import io.verbs4j.testsupport.Full;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each mutant is detected by the party that the list names. A build tests every thirty-first one; {@code -Phours} tests
 * all.
 */
class MutantListIT {
    private static final boolean FULL = Extent.isHours();
    private static final int SAMPLE = 31;
    private static final int AT_A_TIME = 6;

    @TempDir
    static Path scratch;

    private static Matrix matrix;
    private static Release old;
    private static Release build;
    private static List<Subject> witnesses;

    static List<Mutant> mutants() {
        List<Mutant> all = Mutant.all();
        return FULL
                ? all
                : IntStream.range(0, all.size())
                        .filter(i -> i % SAMPLE == 0)
                        .mapToObj(all::get)
                        .toList();
    }

    @BeforeAll
    static void makeTheProviders() {
        matrix = Parties.matrix(scratch);
        old = Parties.oldest().named("old");
        build = Parties.build();
        // Uses unchanged releases: the provider is not compiled with the mutant that it meets.
        witnesses = Combinations.witnesses(List.of(old, build), Future.of(build, scratch), scratch);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mutants")
    @Full
    void mutantIsFound(Mutant mutant) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory(scratch, "mutant");
        assertThat(sees(mutant.by(), mutant.release(build, folder), folder))
                .as("whether the mutant is found by: " + mutant.by())
                .isTrue();
        System.out.println(mutant.by() + " sees: " + mutant);
    }

    private static boolean sees(Seer by, Release mutant, Path folder) throws InterruptedException {
        return switch (by) {
            case GATE ->
                !ApiGate.violationsOfHeader(build.header(), mutant.header()).isEmpty();
            case QUICK -> red(Plan.eightRows(old, mutant, rxe(), false, false, Parties.jdk()));
            case FULL -> red(full(mutant, folder));
        };
    }

    private static List<Subject> rxe() {
        return List.of(Subject.of(old), Subject.of(build));
    }

    /** {@return the cells of the full matrix that involve a mutant, those with the most checks first} */
    private static List<Cell> full(Release mutant, Path folder) {
        Release future = Future.of(mutant, folder);
        List<Release> releases = List.of(old, mutant);
        List<AppSource> apps =
                List.of(AppSource.ofLevel(mutant.level()), AppSource.ofLevel(1), Future.app(future.level()));
        List<Cell> cells =
                new ArrayList<>(Plan.witnesses(apps, releases, future, witnesses, Plan.GENERAL, Parties.jdk()));
        cells.addAll(Plan.eightRows(old, mutant, rxe(), true, false, Parties.jdk()));
        cells.addAll(Plan.future(future, releases, rxe(), Plan.GENERAL, Parties.jdk()));
        cells.removeIf(cell -> cell.library().equals(old)
                && cell.header().equals(old)
                && cell.runtimeHeader().equals(old));
        return cells;
    }

    private static boolean red(List<Cell> cells) throws InterruptedException {
        for (int i = 0; i < cells.size(); i += AT_A_TIME) {
            List<Cell> some = cells.subList(i, Math.min(i + AT_A_TIME, cells.size()));
            if (!TextReports.red(matrix.run(some, result -> {})).isEmpty()) {
                return true;
            }
        }
        return false;
    }
}
