/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.provider.efa.layout.EfaAhAttrLayout;
import io.verbs4j.rdmacore.oracle.Gcc;
import io.verbs4j.rdmacore.oracle.Headers;
import io.verbs4j.rdmacore.oracle.LayoutClaims;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Checks the layouts and constants of efadv against the headers of this machine. */
class EfaOracleTest {
    static final List<Gcc> COMPILERS = Gcc.BOTH;

    @TempDir
    Path scratch;

    @Test
    void everyLayoutAndConstantNamesItsCOriginal() {
        assertThat(LayoutClaims.classes(EfaAhAttrLayout.class)).hasSize(13);
        for (Class<?> type : LayoutClaims.classes(EfaAhAttrLayout.class)) {
            assertThat(LayoutClaims.faults(type)).isEmpty();
        }
        assertThat(EfaClaims.RULES.constants()).hasSizeGreaterThan(15);
        assertThat(EfaClaims.RULES.faults()).isEmpty();
    }

    @ParameterizedTest
    @FieldSource("COMPILERS")
    void claimsMatchInstalledHeaders(Gcc gcc) {
        EfaClaims.ORACLE.assertAllHold(gcc.required(), Headers.ofThisMachine(scratch));
    }

    @ParameterizedTest
    @FieldSource("COMPILERS")
    void everyWrongConstantIsDetected(Gcc gcc) {
        EfaClaims.ORACLE.assertEachCounts(gcc.required(), Headers.ofThisMachine(scratch));
    }

    @ParameterizedTest
    @FieldSource("COMPILERS")
    void newerClaimsAreMissingFromInstalledHeaders(Gcc gcc) {
        EfaClaims.ORACLE.assertLaterIsMissing(gcc.required(), Headers.ofThisMachine(scratch));
    }
}
