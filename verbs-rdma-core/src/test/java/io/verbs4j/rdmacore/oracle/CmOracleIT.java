/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.oracle;

import io.verbs4j.testsupport.Full;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Checks the connection manager's layouts and numbers against the headers of the rdma-core releases in Debian. */
@Full
class CmOracleIT {
    @TempDir
    Path scratch;

    @TestFactory
    Stream<DynamicTest> cmClaimsHoldForEachRelease() throws IOException, InterruptedException {
        return Releases.each(CmClaims.ORACLE, scratch);
    }
}
