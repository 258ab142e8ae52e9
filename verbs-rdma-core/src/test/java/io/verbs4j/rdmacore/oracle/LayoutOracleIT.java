/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.oracle;

import io.verbs4j.testsupport.Full;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Checks the layouts and the constants of verbs-spi against the headers of the rdma-core releases in Debian. */
@Full
class LayoutOracleIT {
    @TempDir
    Path scratch;

    @TestFactory
    Stream<DynamicTest> layoutsMatchEachRelease() throws IOException, InterruptedException {
        return Releases.each(LayoutOracleTest.ORACLE, scratch);
    }
}
