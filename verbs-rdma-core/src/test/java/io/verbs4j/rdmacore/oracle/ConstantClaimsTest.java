/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every number in verbs-spi has a counterpart in C, or a reason for having none. */
class ConstantClaimsTest {
    @Test
    void eachConstantIsInCOrHasReason() {
        assertThat(ConstantClaims.RULES.constants()).hasSizeGreaterThan(250);
        assertThat(ConstantClaims.RULES.faults()).isEmpty();
    }

    @Test
    void missingAndObsoleteConstantsAreFound() {
        ConstantRules rules = new ConstantRules(
                AccessFlags.class,
                "h",
                Map.of("AccessFlags", "A_"),
                Map.of("No", "h"),
                Map.of(),
                Map.of(),
                Map.of("A_NO", 40));
        assertThat(rules.faults())
                .contains("No: listed, but there is no such constant", "A_NO: listed, but there is no such constant")
                .anyMatch(fault -> fault.contains("type=QpType, name=RC"))
                .noneMatch(fault -> fault.contains("AccessFlags"));
    }
}
