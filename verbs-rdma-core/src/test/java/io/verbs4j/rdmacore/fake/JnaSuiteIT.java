/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.fake;

import io.verbs4j.testsupport.Full;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every test of this module by JNA, where there is another way; by JNA alone the module's tests run as they are. */
@Full
class JnaSuiteIT {
    @Test
    void everyTestPasses(@TempDir Path scratch) throws IOException, InterruptedException {
        ModuleSuite.passes(
                scratch, ".*Test", "jna", "JNA (the foreign function API is not wanted (-D", "[1-9][0-9]{2,}");
    }
}
