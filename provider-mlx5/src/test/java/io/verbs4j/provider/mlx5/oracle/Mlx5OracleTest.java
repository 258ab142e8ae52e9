/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.provider.mlx5.layout.DvObjLayout;
import io.verbs4j.rdmacore.oracle.Gcc;
import io.verbs4j.rdmacore.oracle.Headers;
import io.verbs4j.rdmacore.oracle.LayoutClaims;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Checks the layouts and constants of mlx5dv against the headers of this machine. */
class Mlx5OracleTest {
    static final List<Gcc> COMPILERS = Gcc.BOTH;

    @TempDir
    Path scratch;

    @Test
    void everyLayoutAndConstantNamesItsCOriginal() {
        assertThat(LayoutClaims.classes(DvObjLayout.class)).hasSizeGreaterThan(30);
        for (Class<?> type : LayoutClaims.classes(DvObjLayout.class)) {
            assertThat(LayoutClaims.faults(type)).isEmpty();
        }
        assertThat(Mlx5Claims.RULES.constants()).hasSizeGreaterThan(150);
        assertThat(Mlx5Claims.RULES.faults()).isEmpty();
    }

    @ParameterizedTest
    @FieldSource("COMPILERS")
    void claimsMatchInstalledHeaders(Gcc gcc) {
        Mlx5Claims.ORACLE.assertAllHold(gcc.required(), Headers.ofThisMachine(scratch));
    }

    @ParameterizedTest
    @FieldSource("COMPILERS")
    void everyWrongConstantIsDetected(Gcc gcc) {
        Mlx5Claims.ORACLE.assertEachCounts(gcc.required(), Headers.ofThisMachine(scratch));
    }

    @ParameterizedTest
    @FieldSource("COMPILERS")
    void newerClaimsAreMissingFromInstalledHeaders(Gcc gcc) {
        Mlx5Claims.ORACLE.assertLaterIsMissing(gcc.required(), Headers.ofThisMachine(scratch));
    }
}
