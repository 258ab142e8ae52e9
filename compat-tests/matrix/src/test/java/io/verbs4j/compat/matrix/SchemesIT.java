/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.Full;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The schemes that the talk rejects lose some of its eight rows; a scheme like ours loses none. */
@Full
class SchemesIT {
    private static SchemeSection section;

    @TempDir
    static Path scratch;

    @BeforeAll
    static void runRows() throws InterruptedException {
        section = SchemeSection.of(new Schemes(scratch, Parties.jdk()).run());
    }

    @Test
    void everyRowRunsUnderEverySchemeWithBothProviders() {
        assertThat(section.results()).hasSize(3 * 8 * 2);
        for (int row = 1; row <= 8; row++) {
            assertThat(section.row(row)).hasSize(6);
        }
    }

    @Test
    void numberedSlotsLoseNoRow() {
        assertThat(lost(Scheme.SLOTS)).isEmpty();
        assertThat(result(Scheme.SLOTS, 3, 1).happened()).isEqualTo("data works");
        assertThat(result(Scheme.SLOTS, 6, 2).happened()).isEqualTo("does not compile: cannot find symbol");
        assertThat(result(Scheme.SLOTS, 7, 2).happened()).isEqualTo("data works, open_xrcd: ENOSYS");
        assertThat(result(Scheme.SLOTS, 8, 1).happened()).isEqualTo("data works, open_xrcd: EOPNOTSUPP");
        assertThat(result(Scheme.SLOTS, 8, 2).happened()).isEqualTo("data works, open_xrcd: works");
    }

    /**
     * Anything compiled with a new header names symbols that an old library lacks, whether the program is old or new.
     */
    @Test
    void versionedSymbolsLoseRowsOfOldLibraryWithNewHeader() {
        assertThat(lost(Scheme.SYMBOLS)).containsExactly("3 1", "3 2", "7 1", "7 2");
        for (int row : new int[] {3, 7}) {
            assertThat(result(Scheme.SYMBOLS, row, 2).happened())
                    .startsWith("NoSuchMethodError")
                    .contains("createQp(long)");
            assertThat(result(Scheme.SYMBOLS, row, 2).lost()).isEqualTo("the program fails, and the old verbs with it");
        }
        assertThat(result(Scheme.SYMBOLS, 8, 1).happened()).isEqualTo("data works, open_xrcd: EOPNOTSUPP");
    }

    /** Neither compiler nor library can distinguish a verb that is not there yet from one that will never exist. */
    @Test
    void namesLoseRowsThatMustReportOldParty() {
        assertThat(lost(Scheme.NAMES)).containsExactly("5 1", "5 2", "6 1", "6 2", "7 1", "7 2", "8 1");
        assertThat(result(Scheme.NAMES, 5, 2).lost()).isEqualTo("javac does not report that the header is too old");
        assertThat(result(Scheme.NAMES, 7, 2).lost()).isEqualTo("nothing reports whether the library is too old");
        assertThat(result(Scheme.NAMES, 8, 1).lost()).isEqualTo("nothing reports whether the device is too old");
        assertThat(result(Scheme.NAMES, 8, 2).happened()).isEqualTo("data works, open_xrcd: works");
    }

    @Test
    void reportHasOneLinePerScheme() {
        assertThat(section.verdicts())
                .containsExactly(
                        "numbered slots (a table that states its length, as in verbs4j): every row holds",
                        "versioned symbols (the library exports each verb, and each changed verb again):"
                                + " loses rows 3, 7",
                        "names (verbs are looked up by a string): loses rows 5, 6, 7, 8 (old provider)");
        assertThat(SchemeReports.table(section).lines())
                .anyMatch(line -> line.matches("  +3  old +new +old +Y +Y +lost +lost +Y +Y"))
                .anyMatch(line -> line.matches("  +8  new +new +new +Y +Y +Y +Y +lost +Y"));
    }

    private static List<String> lost(Scheme scheme) {
        return section.results().stream()
                .filter(result -> result.scheme() == scheme && !result.held())
                .map(result -> result.row() + " " + result.provider())
                .toList();
    }

    private static SchemeResult result(Scheme scheme, int row, int provider) {
        return section.row(row).stream()
                .filter(result -> result.scheme() == scheme && result.provider() == provider)
                .findFirst()
                .orElseThrow();
    }
}
