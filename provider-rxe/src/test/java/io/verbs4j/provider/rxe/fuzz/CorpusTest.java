/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs every input of the corpus again, quickly and without Jazzer. */
class CorpusTest {
    /** Management messages in the corpus: each kind that connection managers have, and some that are longer. */
    private static final int MESSAGES = 19;

    @Test
    void corpusDoesNoHarm() {
        List<Path> files = Corpus.files();
        assertThat(files).isNotEmpty();
        try {
            for (Path file : files) {
                try {
                    CoverageFuzz.fuzzerTestOneInput(Corpus.read(file));
                } catch (AssertionError e) {
                    throw new AssertionError(file + ": " + e.getMessage(), e);
                }
            }
            assertThat(CoverageFuzz.managed()).as("messages to queue pair 1").isGreaterThanOrEqualTo(MESSAGES);
            System.out.println("fuzz: corpus of " + files.size() + " inputs: " + CoverageFuzz.summary());
        } finally {
            CoverageFuzz.close();
        }
    }
}
