/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.hbldv.HblDv;
import io.verbs4j.provider.gaudi.layout.HblQpAttrLayout;
import io.verbs4j.rdmacore.oracle.ConstantRules;
import io.verbs4j.rdmacore.oracle.Gcc;
import io.verbs4j.rdmacore.oracle.Headers;
import io.verbs4j.rdmacore.oracle.LayoutClaims;
import io.verbs4j.rdmacore.oracle.Oracle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Checks the layouts and constants of hbldv against the header of the library that stands in for libhbl, since no
 * distribution has the vendor's.
 */
class GaudiOracleTest {
    static final List<Gcc> COMPILERS = Gcc.BOTH;

    private static final Path HEADER = Path.of("../device-sim/libhbl/hbldv.h");

    /** From a class to the prefix of its constants in C. */
    private static final Map<String, String> PREFIXES = Map.of(
            "HblCqTypes", "HBLDV_CQ_TYPE_",
            "HblDeviceCaps", "HBLDV_DEVICE_ATTR_CAP_",
            "HblMemIds", "HBLDV_MEM_",
            "HblPortCaps", "HBLDV_PORT_CAP_",
            "HblQpCaps", "HBLDV_QP_CAP_",
            "HblUsrFifoTypes", "HBLDV_USR_FIFO_TYPE_",
            "HblWqArrays", "HBLDV_WQ_ARRAY_TYPE_",
            "HblWqTypes", "HBLDV_WQ_");

    /** Constants whose name in C differs from the rule. */
    private static final Map<String, String> OTHERWISE = Map.of(
            "HblEncapTypes.NONE", "HBLDV_ENCAP_TYPE_NO_ENC",
            "HblEncapTypes.OVER_IPV4", "HBLDV_ENCAP_TYPE_ENC_OVER_IPV4",
            "HblEncapTypes.OVER_UDP", "HBLDV_ENCAP_TYPE_ENC_OVER_UDP",
            "HblGranularities.BYTES_32", "HBLDV_SWQE_GRAN_32B",
            "HblGranularities.BYTES_64", "HBLDV_SWQE_GRAN_64B");

    private static final ConstantRules RULES =
            new ConstantRules(HblDv.class, "infiniband/hbldv.h", PREFIXES, Map.of(), OTHERWISE, Map.of(), Map.of());

    private static final Oracle ORACLE = Oracle.of(HblQpAttrLayout.class, RULES, 150);

    @TempDir
    Path scratch;

    /** Returns the headers of this machine, with this one added as if it were installed. */
    private Headers headers() throws IOException {
        Headers headers = Headers.ofThisMachine(scratch);
        Files.copy(HEADER, headers.folder().resolve("infiniband").resolve(HEADER.getFileName()));
        return headers;
    }

    @Test
    void everyLayoutAndConstantNamesItsCOriginal() {
        assertThat(LayoutClaims.classes(HblQpAttrLayout.class)).hasSizeGreaterThan(15);
        for (Class<?> type : LayoutClaims.classes(HblQpAttrLayout.class)) {
            assertThat(LayoutClaims.faults(type)).isEmpty();
        }
        assertThat(RULES.constants()).hasSizeGreaterThan(35);
        assertThat(RULES.faults()).isEmpty();
    }

    @ParameterizedTest
    @FieldSource("COMPILERS")
    void claimsMatchHeader(Gcc gcc) throws IOException {
        ORACLE.assertAllHold(gcc.required(), headers());
    }

    @ParameterizedTest
    @FieldSource("COMPILERS")
    void everyWrongConstantIsDetected(Gcc gcc) throws IOException {
        ORACLE.assertEachCounts(gcc.required(), headers());
    }
}
