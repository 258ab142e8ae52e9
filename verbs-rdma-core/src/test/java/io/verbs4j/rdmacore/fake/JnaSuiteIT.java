/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.fake;

import io.verbs4j.testsupport.Full;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All tests of this module with JNA, on JDKs that have another way; on those that do not, the normal tests use JNA. */
@Full
class JnaSuiteIT {
    @Test
    void everyTestPasses(@TempDir Path scratch) throws IOException, InterruptedException {
        ModuleSuite.passes(scratch, ".*Test", "jna", "JNA (the foreign function API is disabled (-D", "[1-9][0-9]{2,}");
    }
}
