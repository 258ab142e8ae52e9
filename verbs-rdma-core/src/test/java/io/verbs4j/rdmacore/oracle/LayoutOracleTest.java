/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.rdmacore.layout.CStruct;
import io.verbs4j.rdmacore.quirk.layout.DvClockInfoLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Checks the layouts and the constants of verbs-spi against the headers of this machine. */
class LayoutOracleTest {
    static final List<Gcc> COMPILERS = Gcc.BOTH;

    static final Oracle ORACLE =
            Oracle.of(CStruct.class, ConstantClaims.RULES, 500).and(DvClockInfoLayout.class);

    @TempDir
    Path scratch;

    @ParameterizedTest
    @FieldSource("COMPILERS")
    void claimsMatchHeaders(Gcc gcc) {
        ORACLE.assertAllHold(gcc.required(), Headers.ofThisMachine(scratch));
    }

    @ParameterizedTest
    @FieldSource("COMPILERS")
    void wrongConstantsAreFound(Gcc gcc) {
        ORACLE.assertEachCounts(gcc.required(), Headers.ofThisMachine(scratch));
    }

    @ParameterizedTest
    @FieldSource("COMPILERS")
    void newerClaimsAreMissingInHeaders(Gcc gcc) {
        ORACLE.assertLaterIsMissing(gcc.required(), Headers.ofThisMachine(scratch));
    }

    @Test
    void processorSpecificClaimsHoldForOneProcessor() {
        Headers headers = Headers.ofThisMachine(scratch);
        List<Claim> claims = ORACLE.claims(headers.release()).stream()
                .filter(claim -> claim.when() != null)
                .toList();
        List<String> elsewhere = new ArrayList<>();
        for (Gcc gcc : Gcc.BOTH) {
            elsewhere.addAll(Oracle.ask(gcc.required(), headers, claims).elsewhere());
        }
        assertThat(elsewhere)
                .as("each one that a compiler leaves out is checked by the other")
                .containsExactlyInAnyOrderElementsOf(
                        claims.stream().map(Claim::name).toList());
    }
}
