/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.rdmacore.cm.layout.CmIdLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Checks the connection manager's layouts and numbers against the headers of this machine. */
class CmOracleTest {
    static final List<Gcc> COMPILERS = Gcc.BOTH;

    @TempDir
    Path scratch;

    private Headers headers() {
        assumeTrue(
                Files.isRegularFile(Path.of("/usr/include/rdma/rdma_cma.h")),
                "no rdma/rdma_cma.h here: .ci/run installs librdmacm-dev");
        return Headers.ofThisMachine(scratch);
    }

    @Test
    void eachLayoutAndConstantNamesItsCounterpartInC() {
        assertThat(LayoutClaims.classes(CmIdLayout.class)).hasSize(7);
        for (Class<?> type : LayoutClaims.classes(CmIdLayout.class)) {
            assertThat(LayoutClaims.faults(type)).isEmpty();
        }
        assertThat(CmClaims.RULES.constants()).hasSizeGreaterThan(28);
        assertThat(CmClaims.RULES.faults()).isEmpty();
    }

    @ParameterizedTest
    @FieldSource("COMPILERS")
    void claimsMatchHeaders(Gcc gcc) {
        CmClaims.ORACLE.assertAllHold(gcc.required(), headers());
    }

    @ParameterizedTest
    @FieldSource("COMPILERS")
    void wrongConstantsAreFound(Gcc gcc) {
        CmClaims.ORACLE.assertEachCounts(gcc.required(), headers());
    }

    @ParameterizedTest
    @FieldSource("COMPILERS")
    void newerClaimsAreMissingInHeaders(Gcc gcc) {
        CmClaims.ORACLE.assertLaterIsMissing(gcc.required(), headers());
    }
}
