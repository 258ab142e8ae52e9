/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.Full;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Programs and providers of every level, and of a future one, on every library: every attribute arrives and comes back,
 * and only a provider's minimum decides whether a library accepts it.
 */
@Full
class WitnessIT {
    private static List<CellResult> results;
    private static int newest;

    @TempDir
    static Path scratch;

    @BeforeAll
    static void runThem() throws InterruptedException {
        List<Release> releases = new ArrayList<>(Release.frozen(Parties.frozenFolder()));
        Release build = Parties.build();
        newest = build.level();
        releases.add(build);
        Combinations all = new Combinations(Parties.matrix(scratch), releases, null, List.of(Parties.jdk()));
        List<Cell> cells = all.witnesses(Future.of(build, scratch), Plan.GENERAL).stream()
                .filter(cell -> Parties.FULL || isShort(cell))
                .toList();
        results = Parties.run(scratch, cells);
    }

    /**
     * The build stands in for the library of a frozen level that is also the build's, except for programs of that
     * level.
     */
    private static boolean isShort(Cell cell) {
        boolean twin = cell.library().name().equals("level " + newest);
        return !twin || cell.app().level() == newest;
    }

    @Test
    void everyResultIsAsExpected() {
        Parties.assertGreen(results);
    }

    @Test
    void minimumAloneDecidesWhetherLibraryTakesProvider() {
        Map<String, List<Outcome>> byProvider = results.stream()
                .filter(r -> r.cell().library().name().equals(Release.BUILD))
                .collect(Collectors.groupingBy(
                        r -> r.cell().provider().name(), Collectors.mapping(CellResult::outcome, Collectors.toList())));
        int later = newest + 1;
        for (String taken : List.of(
                "witness 1/1",
                "witness " + newest + "/1",
                "witness " + newest + "/" + newest,
                "witness " + later + "/1",
                "witness " + later + "/" + newest)) {
            assertThat(byProvider.get(taken)).as(taken).isNotEmpty().containsOnly(Outcome.Y);
        }
        assertThat(byProvider.get("witness " + later + "/" + later)).containsOnly(Outcome.ASIDE);
        // The future level adds one program to those of the levels.
        assertThat(byProvider.get("witness 1/1")).hasSize(newest + 1);
    }
}
