/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.dv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Detects the release of a libhbl by its functions and answers. */
class LayoutTest {
    private static final String RESERVE = "hbldv_reserve_coll_qps";
    private static final String MIGRATE = "hbldv_migrate_qp";
    private static final String TEMP = "hbldv_query_device_temp";

    private static int notAsked() {
        throw new AssertionError("asked although the functions suffice");
    }

    @Test
    void functionsIdentifyMostReleases() {
        assertThat(Layout.of(Set.<String>of()::contains, LayoutTest::notAsked)).isEqualTo(Layout.UPSTREAM);
        assertThat(Layout.of(Set.of(RESERVE, MIGRATE, TEMP)::contains, LayoutTest::notAsked))
                .isEqualTo(Layout.V1_19);
        assertThat(Layout.of(Set.of(RESERVE, MIGRATE)::contains, LayoutTest::notAsked))
                .isEqualTo(Layout.V1_20);
    }

    @ParameterizedTest
    @CsvSource({"16, V1_16", "24, V1_17", "32, V1_18"})
    void answerLengthIdentifiesOtherReleases(int size, Layout layout) {
        assertThat(Layout.of(Set.of(RESERVE)::contains, () -> size)).isEqualTo(layout);
    }

    @Test
    void unknownReleaseIsRejected() {
        assertThatThrownBy(() -> Layout.of(Set.of(RESERVE)::contains, () -> 40))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOSYS))
                .hasMessageContaining("40 bytes");
    }
}
