/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every number of verbs-spi has its place in C, or the reason why not. */
class ConstantClaimsTest {
    private static final List<ConstantClaims.Constant> CONSTANTS = ConstantClaims.constants();

    @Test
    void eachConstantIsInCOrHasAReason() {
        assertThat(CONSTANTS).hasSizeGreaterThan(250);
        for (ConstantClaims.Constant constant : CONSTANTS) {
            boolean inC = ConstantClaims.inC(constant) != null;
            assertThat(inC)
                    .as(
                            "%s: a class of the rule or an exception to it, or not in C for a reason; one of them",
                            constant)
                    .isNotEqualTo(ConstantClaims.isNotInC(constant));
        }
    }

    @Test
    void noExceptionHasOutlivedItsConstant() {
        Set<String> known =
                CONSTANTS.stream().map(ConstantClaims.Constant::type).collect(Collectors.toSet());
        CONSTANTS.forEach(constant -> known.add(constant.fullName()));
        List<String> listed = new ArrayList<>(ConstantClaims.PREFIXES.keySet());
        listed.addAll(ConstantClaims.HEADERS.keySet());
        listed.addAll(ConstantClaims.OTHERWISE.keySet());
        listed.addAll(ConstantClaims.NOT_IN_C.keySet());
        assertThat(known).containsAll(listed);
        assertThat(CONSTANTS.stream().map(ConstantClaims::inC)).containsAll(ConstantClaims.SINCE.keySet());
    }
}
