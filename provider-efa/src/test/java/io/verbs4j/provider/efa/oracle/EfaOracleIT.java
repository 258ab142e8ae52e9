/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.oracle;

import io.verbs4j.rdmacore.oracle.Releases;
import io.verbs4j.testsupport.Full;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Checks the layouts and constants of efadv against the headers of each rdma-core release in Debian. */
@Full
class EfaOracleIT {
    @TempDir
    Path scratch;

    @TestFactory
    Stream<DynamicTest> claimsMatchHeadersOfEachRelease() throws IOException, InterruptedException {
        return Releases.each(EfaClaims.ORACLE, scratch);
    }
}
