/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.base;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What Linux reports about this process. */
class OwnProcessTest {
    private static final String FIELDS =
            "S 7 1 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 4711 1 2 3 18446744073709551615 1 1 0 0 0 0 0 0 0 17 1 0\n";

    @Test
    void anyProgramNameIsParsed() {
        assertThat(OwnProcess.of("12 (java) " + FIELDS)).isEqualTo(new OwnProcess(12, "4711"));
        assertThat(OwnProcess.of("4194303 (a ) S (1 2) " + FIELDS)).isEqualTo(new OwnProcess(4194303, "4711"));
    }

    @Test
    void ownProcessIsFound() {
        assertThat(OwnProcess.find().pid()).isEqualTo(ProcessHandle.current().pid());
        assertThat(OwnProcess.find()).isEqualTo(OwnProcess.find());
    }
}
